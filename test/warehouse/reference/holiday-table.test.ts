import test from 'ava';
import { addHolidays, HOLIDAY_TABLE } from '../../../warehouse/reference/holiday-table.ts';
import { publicHolidays } from '../../../warehouse/reference/holidays.ts';
import { readAirports } from '../../../warehouse/reference/airports.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

const { years } = HOLIDAY_TABLE;

/** Checks one year per country, because all years of all countries take twenty seconds. */
test('the table has the holidays of the calendar, for every country in a sample year', async (t) => {
  const db = await createWarehouse(t);
  const codes = [...new Set((await readAirports()).map(({ countryCode }) => countryCode))];
  for (const [at, countryCode] of codes.toSorted().entries()) {
    const from = years.from + (at % (years.until - years.from));
    const dates = await db.rows<{ date: string }>(
      `select holiday_date as date from read_parquet($file)
       where country_code = $countryCode and year(holiday_date) = $from order by all`,
      { file: HOLIDAY_TABLE.file, countryCode, from },
    );
    t.deepEqual(
      dates.map(({ date }) => date),
      publicHolidays([countryCode], from, from + 1).map(({ date }) => date),
      `${countryCode} ${from}`,
    );
  }
});

test('holidays before and after the years of the table are computed', async (t) => {
  const db = await createWarehouse(t);
  const range = { from: years.from - 1, until: years.until + 1 };
  await addHolidays(db, { countryCodes: ['US'], ...range });
  const dates = await db.rows<{ date: string }>(
    `select holiday_date as date from reference.holidays order by all`,
  );
  t.deepEqual(
    dates.map(({ date }) => date),
    publicHolidays(['US'], range.from, range.until).map(({ date }) => date),
  );
});

import test from 'ava';
import { addHolidays, HOLIDAY_TABLE } from '../../../warehouse/reference/holiday-table.ts';
import { publicHolidays } from '../../../warehouse/reference/holidays.ts';
import { readAirports } from '../../../warehouse/reference/airports.ts';
import { warehouseWith } from '../../helpers/warehouse.ts';

const { years } = HOLIDAY_TABLE;

/** All of them in all years take twenty seconds. */
test('the table has the days off the calendar has: of every country, in one year or another', async (t) => {
  const db = await warehouseWith(t);
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

test('days off before the table and after it are worked out', async (t) => {
  const db = await warehouseWith(t);
  const wanted = { from: years.from - 1, until: years.until + 1 };
  await addHolidays(db, { countryCodes: ['US'], ...wanted });
  const dates = await db.rows<{ date: string }>(
    `select holiday_date as date from reference.holidays order by all`,
  );
  t.deepEqual(
    dates.map(({ date }) => date),
    publicHolidays(['US'], wanted.from, wanted.until).map(({ date }) => date),
  );
});

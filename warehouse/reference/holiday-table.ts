import path from 'node:path';
import { openDatabase, type Database } from '../connect.ts';
import { readAirports } from './airports.ts';

/**
 * Parquet file with the public holidays in `years` of every country that has an airport. `make holidays` writes it.
 * Computing the holidays would take two seconds in every process that fills a warehouse.
 */
export const HOLIDAY_TABLE = {
  file: path.join(import.meta.dirname, 'holidays.parquet'),
  years: { from: 2015, until: 2041 },
};

/** Countries and years `[from, until)` of holidays. */
export type HolidayRange = { countryCodes: string[]; from: number; until: number };

/** Writes the table, sorted, and returns its number of rows. */
export async function writeHolidayTable(file: string): Promise<number> {
  const { from, until } = HOLIDAY_TABLE.years;
  const airports = await readAirports();
  const countryCodes = [...new Set(airports.map(({ countryCode }) => countryCode))];
  const db = await openDatabase({ threads: 1 });
  try {
    await db.run(
      'create table holidays (country_code varchar, holiday_date date, holiday varchar)',
    );
    const rows = await insertComputedHolidays(db, 'holidays', { countryCodes, from, until });
    await db.setVariables({ target: file });
    await db.run(
      `copy (from holidays order by all) to (getvariable('target'))
       (format parquet, compression zstd, compression_level 19)`,
    );
    return rows;
  } finally {
    db.close();
  }
}

/** Inserts holidays into `reference.holidays`. Holidays of years outside the table are computed. */
export async function addHolidays(db: Database, range: HolidayRange): Promise<void> {
  const { file, years } = HOLIDAY_TABLE;
  const { countryCodes, from, until } = range;
  await db.run(
    `insert into reference.holidays by name
     select country_code, holiday_date, holiday from read_parquet($file)
     where year(holiday_date) >= $from and year(holiday_date) < $until
       and country_code in (select unnest($countries::json::varchar[]))`,
    { file, from, until, countries: JSON.stringify(countryCodes) },
  );
  const outside = [
    { from, until: Math.min(until, years.from) },
    { from: Math.max(from, years.until), until },
  ];
  for (const span of outside.filter((one) => one.from < one.until)) {
    await insertComputedHolidays(db, 'reference.holidays', { countryCodes, ...span });
  }
}

async function insertComputedHolidays(
  db: Database,
  table: string,
  range: HolidayRange,
): Promise<number> {
  // Import the package here, because loading it takes a fifth of a second and is rarely needed.
  const { publicHolidays } = await import('./holidays.ts');
  const rows = publicHolidays(range.countryCodes, range.from, range.until);
  await db.run(
    `insert into ${table} by name
     select unnest(from_json($rows::json, '[{"country_code":"varchar","holiday_date":"date","holiday":"varchar"}]'), recursive := true)`,
    {
      rows: JSON.stringify(
        rows.map(({ countryCode, date, name }) => ({
          country_code: countryCode,
          holiday_date: date,
          holiday: name,
        })),
      ),
    },
  );
  return rows.length;
}

import path from 'node:path';
import { openDatabase, type Database } from '../connect.ts';
import { readAirports } from './airports.ts';

/**
 * The days off of every country with an airport, in these years, worked out beforehand by `make holidays`: to work them out
 * takes every process that fills a warehouse two seconds.
 */
export const HOLIDAY_TABLE = {
  file: path.join(import.meta.dirname, 'holidays.parquet'),
  years: { from: 2015, until: 2041 },
};

/** Days off of some countries in the years `[from, until)`. */
export type Wanted = { countryCodes: string[]; from: number; until: number };

/** Writes the table anew, sorted, and returns its rows. */
export async function writeHolidayTable(file: string): Promise<number> {
  const { from, until } = HOLIDAY_TABLE.years;
  const airports = await readAirports();
  const countryCodes = [...new Set(airports.map(({ countryCode }) => countryCode))];
  const db = await openDatabase({ threads: 1 });
  try {
    await db.run('create table holidays (country_code varchar, holiday_date date)');
    const rows = await addWorkedOut(db, 'holidays', { countryCodes, from, until });
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

/** Adds days off to `reference.holidays`; those of years the table does not have are worked out. */
export async function addHolidays(db: Database, wanted: Wanted): Promise<void> {
  const { file, years } = HOLIDAY_TABLE;
  const { countryCodes, from, until } = wanted;
  await db.run(
    `insert into reference.holidays by name
     select country_code, holiday_date from read_parquet($file)
     where year(holiday_date) >= $from and year(holiday_date) < $until
       and country_code in (select unnest($countries::json::varchar[]))`,
    { file, from, until, countries: JSON.stringify(countryCodes) },
  );
  const outside = [
    { from, until: Math.min(until, years.from) },
    { from: Math.max(from, years.until), until },
  ];
  for (const span of outside.filter((one) => one.from < one.until)) {
    await addWorkedOut(db, 'reference.holidays', { countryCodes, ...span });
  }
}

async function addWorkedOut(db: Database, table: string, wanted: Wanted): Promise<number> {
  // It takes a fifth of a second to load, for nothing in most processes.
  const { publicHolidays } = await import('./holidays.ts');
  const rows = publicHolidays(wanted.countryCodes, wanted.from, wanted.until);
  await db.run(
    `insert into ${table} by name
     select unnest(from_json($rows::json, '[{"country_code":"varchar","holiday_date":"date"}]'), recursive := true)`,
    {
      rows: JSON.stringify(
        rows.map(({ countryCode, date }) => ({ country_code: countryCode, holiday_date: date })),
      ),
    },
  );
  return rows.length;
}

import path from 'node:path';
import type { Database } from '../connect.ts';
import { inTransaction } from '../migrate.ts';
import type { Airport } from '../store/types.ts';
import { readAirlines } from './airlines.ts';
import { readAirports } from './airports.ts';
import { type Holiday, publicHolidays } from './holidays.ts';

/** Airport days of the seed, for weekdays and holidays; see `warehouse/seed/provenance.json`. */
const CALENDAR_FILE = path.join(import.meta.dirname, '../seed/airport_days.parquet');

/**
 * Replaces the reference tables. Holidays cover this year and the next two in every country, and the years of history
 * in the countries flown: older ones elsewhere would cost seconds and tell nothing.
 */
export async function loadReference(db: Database, now: Date): Promise<void> {
  const airports = await readAirports();
  await inTransaction(db, async () => {
    await db.run('delete from reference.calendar_days');
    await db.run('insert into reference.calendar_days by name from read_parquet($file)', {
      file: CALENDAR_FILE,
    });
  });
  const holidays = await relevantHolidays(db, airports, now);
  await inTransaction(db, async () => {
    await replaceRows(db, 'airports', AIRPORT, airports.map(airportRow));
    await replaceRows(db, 'airlines', AIRLINE, readAirlines());
    await replaceRows(
      db,
      'holidays',
      HOLIDAY,
      holidays.map(({ countryCode, date }) => ({ country_code: countryCode, holiday_date: date })),
    );
  });
}

const AIRPORT =
  '[{"iata":"varchar","name":"varchar","city":"varchar","country":"varchar","country_code":"varchar","time_zone":"varchar","latitude":"double","longitude":"double"}]';
const AIRLINE = '[{"iata":"varchar","name":"varchar","country":"varchar"}]';
const HOLIDAY = '[{"country_code":"varchar","holiday_date":"date"}]';

function airportRow({ countryCode, timeZone, ...rest }: Airport): object {
  return { ...rest, country_code: countryCode, time_zone: timeZone };
}

/** Rows cross into DuckDB as one JSON value, typed by `structure`; much faster than row by row. */
async function replaceRows(
  db: Database,
  table: 'airports' | 'airlines' | 'holidays',
  structure: string,
  rows: object[],
): Promise<void> {
  await db.run(`delete from reference.${table}`);
  await db.run(
    `insert into reference.${table} by name
     select unnest(from_json($rows::json, $structure), recursive := true)`,
    { rows: JSON.stringify(rows), structure },
  );
}

async function relevantHolidays(db: Database, airports: Airport[], now: Date): Promise<Holiday[]> {
  const year = now.getUTCFullYear();
  const days = `(
    select flight_date, airport from raw.airport_days
    union all select flight_date, airport from reference.calendar_days
    union all select month, origin from raw.route_hours
  )`;
  const flown = await db.rows<{ airport: string; year: number }>(
    `select airport, min(year(flight_date)) as year from ${days} as days group by all`,
  );
  const firstYear = Math.min(year, ...flown.map((row) => row.year));
  const flownAirports = new Set(flown.map(({ airport }) => airport));
  const countriesOf = (some: Airport[]) => [...new Set(some.map(({ countryCode }) => countryCode))];
  return [
    ...publicHolidays(countriesOf(airports), year, year + 3),
    ...publicHolidays(
      countriesOf(airports.filter(({ iata }) => flownAirports.has(iata))),
      firstYear,
      year,
    ),
  ];
}

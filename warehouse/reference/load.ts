import path from 'node:path';
import { type Database, inTransaction } from '../connect.ts';
import type { Airport } from '../store/types.ts';
import { readAirlines } from './airlines.ts';
import { readAirports } from './airports.ts';
import { addHolidays } from './holiday-table.ts';
import { loadWeatherHazards } from './weather-hazards.ts';
import { filledFrom, type Flown, noteFilledFrom, referenceInputs } from './inputs.ts';

/** Airport days of the seed, for weekdays and holidays; see `warehouse/seed/provenance.json`. */
const CALENDAR_FILE = path.join(import.meta.dirname, '../seed/airport_days.parquet');

/**
 * Brings the reference tables up to date, and returns whether there was anything to do: nothing while data, code, year
 * and the history's reach are what they were. Holidays cover this year and the next two in every country, and the years
 * of history in the countries flown.
 */
export async function loadReference(db: Database, now: Date): Promise<boolean> {
  const flown = await flownSoFar(db);
  const inputs = await referenceInputs(CALENDAR_FILE, flown, now);
  if ((await filledFrom(db)) === inputs) return false;
  const airports = await readAirports();
  await inTransaction(db, async () => {
    await db.run('delete from reference.calendar_days');
    await db.run('insert into reference.calendar_days by name from read_parquet($file)', {
      file: CALENDAR_FILE,
    });
    await replaceRows(db, 'airports', AIRPORT, airports.map(airportRow));
    await replaceRows(db, 'airlines', AIRLINE, readAirlines(flown.carriers));
    await replaceHolidays(db, airports, flown, now);
    await loadWeatherHazards(db);
    await noteFilledFrom(db, inputs);
  });
  return true;
}

const AIRPORT =
  '[{"iata":"varchar","name":"varchar","city":"varchar","country":"varchar","country_code":"varchar","time_zone":"varchar","latitude":"double","longitude":"double"}]';
const AIRLINE = '[{"iata":"varchar","name":"varchar","country":"varchar"}]';

function airportRow({ countryCode, timeZone, ...rest }: Airport): object {
  return { ...rest, country_code: countryCode, time_zone: timeZone };
}

/** Rows cross into DuckDB as one JSON value, typed by `structure`; much faster than row by row. */
async function replaceRows(
  db: Database,
  table: 'airports' | 'airlines',
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

/** Airports, airlines and first year of the loaded months and of the seed's calendar. */
async function flownSoFar(db: Database): Promise<Flown> {
  const [row] = await db.rows<{ airports: string[]; carriers: string[]; year: number | null }>(
    `select
       list(distinct airport order by airport) as airports,
       (select list(distinct carrier order by carrier) from raw.route_hours) as carriers,
       min(year) as year
     from (
       select distinct airport, year(flight_date) as year from raw.airport_days
       union all select distinct airport, year(flight_date) as year from read_parquet($file)
       union all select distinct origin, year(month) from raw.route_hours
     ) as flown`,
    { file: CALENDAR_FILE },
  );
  return {
    airports: row?.airports ?? [],
    carriers: row?.carriers ?? [],
    firstYear: row?.year ?? Infinity,
  };
}

async function replaceHolidays(
  db: Database,
  airports: Airport[],
  flown: Flown,
  now: Date,
): Promise<void> {
  const year = now.getUTCFullYear();
  const flownAirports = new Set(flown.airports);
  const countriesOf = (some: Airport[]) => [...new Set(some.map(({ countryCode }) => countryCode))];
  await db.run('delete from reference.holidays');
  await addHolidays(db, { countryCodes: countriesOf(airports), from: year, until: year + 3 });
  const flownCountries = countriesOf(airports.filter(({ iata }) => flownAirports.has(iata)));
  await addHolidays(db, {
    countryCodes: flownCountries,
    from: Math.min(year, flown.firstYear),
    until: year,
  });
}

import path from 'node:path';
import { type Database, inTransaction } from '../connect.ts';
import type { Airline } from '../store/types.ts';
import { readAirlines } from './airlines.ts';
import { AIRPORT_TABLE } from './airport-table.ts';
import { addHolidays } from './holiday-table.ts';
import {
  readFilledInputs,
  type HistoryRange,
  saveFilledInputs,
  hashReferenceInputs,
} from './inputs.ts';
import parameters from '../../models/weather-risk.json' with { type: 'json' };

/** The seed's daily counts by airport, from which weekday odds are computed; see `warehouse/seed/provenance.json`. */
const CALENDAR_FILE = path.join(import.meta.dirname, '../seed/airport_days.parquet');

/** The flight numbers of the seed; see `warehouse/seed/provenance.json`. */
const FLIGHT_NUMBERS_FILE = path.join(import.meta.dirname, '../seed/flight_numbers.parquet');

/** Evidence for the effects of holidays, from daily counts of flights. `make holiday-evidence` writes it. */
export const HOLIDAY_EVIDENCE_FILE = path.join(
  import.meta.dirname,
  '../seed/holiday_evidence.parquet',
);

/** Flights of operators that fly for other airlines, counted by brand. `make brand-evidence` writes this file. */
export const BRAND_FLIGHTS_FILE = path.join(import.meta.dirname, '../seed/brand_flights.parquet');

/** Files whose rows fill a reference table without changes. */
const SEED_TABLES = {
  calendar_days: CALENDAR_FILE,
  flight_numbers: FLIGHT_NUMBERS_FILE,
  holiday_evidence: HOLIDAY_EVIDENCE_FILE,
  brand_flights: BRAND_FLIGHTS_FILE,
  airports: AIRPORT_TABLE,
};

/**
 * Updates the reference tables and returns whether anything changed. Does nothing if data, code, year and the range of
 * the history are unchanged. Holidays cover two ranges: this year and the next two in every country, and the years of
 * the history in the countries of its airports.
 */
export async function loadReference(db: Database, now: Date): Promise<boolean> {
  const history = await readHistory(db);
  const inputs = await hashReferenceInputs(
    [CALENDAR_FILE, FLIGHT_NUMBERS_FILE, HOLIDAY_EVIDENCE_FILE, BRAND_FLIGHTS_FILE],
    history,
    now,
  );
  if ((await readFilledInputs(db)) === inputs) return false;
  await inTransaction(db, async () => {
    for (const [name, file] of Object.entries(SEED_TABLES)) {
      await db.run(`delete from reference.${name}`);
      await db.run(`insert into reference.${name} by name from read_parquet($file)`, { file });
    }
    await replaceAirlines(db, readAirlines(history.carriers));
    await replaceHolidays(db, history, now);
    await loadWeatherHazards(db);
    await saveFilledInputs(db, inputs);
  });
  return true;
}

const AIRLINE = '[{"iata":"varchar","name":"varchar","country":"varchar"}]';

/**
 * Replaces the airlines. Passes all rows to DuckDB as one JSON text, which is much faster than inserting them one by
 * one.
 */
async function replaceAirlines(db: Database, rows: Airline[]): Promise<void> {
  await db.run('delete from reference.airlines');
  await db.run(
    `insert into reference.airlines by name
     select unnest(from_json($rows::json, $structure), recursive := true)`,
    { rows: JSON.stringify(rows), structure: AIRLINE },
  );
}

/** Reads the airports, airlines and first year of the loaded months and of the seed's calendar. */
async function readHistory(db: Database): Promise<HistoryRange> {
  const [row] = await db.rows<{ airports: string[]; carriers: string[]; year: number | null }>(
    `select
       list(distinct airport order by airport) as airports,
       (select list(distinct carrier order by carrier) from raw.route_hours) as carriers,
       min(year) as year
     from (
       select distinct airport, year(flight_date) as year from raw.airport_days
       union all select distinct airport, year(flight_date) as year from read_parquet($file)
       union all select distinct origin, year(month) from raw.route_hours
     ) as history`,
    { file: CALENDAR_FILE },
  );
  return {
    airports: row?.airports ?? [],
    carriers: row?.carriers ?? [],
    firstYear: row?.year ?? Infinity,
  };
}

async function replaceHolidays(db: Database, history: HistoryRange, now: Date): Promise<void> {
  const year = now.getUTCFullYear();
  await db.run('delete from reference.holidays');
  await addHolidays(db, { countryCodes: await listCountries(db), from: year, until: year + 3 });
  await addHolidays(db, {
    countryCodes: await listCountries(db, history.airports),
    from: Math.min(year, history.firstYear),
    until: year,
  });
}

/** Lists the countries of these airports, or of all airports. */
async function listCountries(db: Database, airports?: string[]): Promise<string[]> {
  const rows = await db.rows<{ code: string }>(
    `select distinct country_code as code from reference.airports
     where $airports::json is null or iata in (select unnest($airports::json::varchar[])) order by code`,
    { airports: airports ? JSON.stringify(airports) : null },
  );
  return rows.map(({ code }) => code);
}

/** Loads the fitted weather hazards into a table, because the SQL of the marts reads them. */
export async function loadWeatherHazards(db: Database): Promise<void> {
  await db.run('delete from reference.weather_hazards');
  for (const { hazard, reading, from, to, logOdds, typical } of parameters.hazards) {
    await db.run(
      'insert into reference.weather_hazards values ($hazard, $reading, $from, $to, $fullRisk, $typical)',
      { hazard, reading, from, to, fullRisk: logOdds / parameters.fullLogOdds, typical },
    );
  }
}

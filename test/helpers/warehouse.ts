import type { ExecutionContext } from 'ava';
import { type Database, openDatabase } from '../../warehouse/connect.ts';
import { buildModel, buildModels } from '../../warehouse/build/build.ts';
import { listModelsFor } from '../../warehouse/build/models.ts';
import { migrate } from '../../warehouse/build/migrate.ts';

/** A row of `raw.route_hours`: five flights of DL from JFK to LAX at 8:00 in July 2018; no flight was delayed. */
export function aRouteHour(changes: Partial<RouteHour> = {}): RouteHour {
  const flights = changes.flight_count ?? 5;
  return {
    month: '2018-07-01',
    carrier: 'DL',
    brand: null,
    origin: 'JFK',
    dest: 'LAX',
    crs_dep_hour: 8,
    delay_basis: 'arrival',
    flight_count: flights,
    cancelled_count: 0,
    diverted_count: 0,
    completed_count: flights - (changes.cancelled_count ?? 0) - (changes.diverted_count ?? 0),
    delayed15_count: changes.delayed_count ?? 0,
    delayed_count: 0,
    delayed45_count: null,
    delayed60_count: 0,
    delayed90_count: null,
    delayed120_count: 0,
    delayed180_count: null,
    delayed360_count: null,
    delayed_min_sum: 40 * (changes.delayed_count ?? 0),
    ...changes,
  };
}

export type RouteHour = {
  month: string;
  carrier: string;
  brand: string | null;
  origin: string;
  dest: string;
  crs_dep_hour: number | null;
  delay_basis: 'arrival' | 'departure';
  flight_count: number;
  cancelled_count: number;
  diverted_count: number;
  completed_count: number;
  delayed15_count: number;
  delayed_count: number;
  delayed45_count: number | null;
  delayed60_count: number;
  delayed90_count: number | null;
  delayed120_count: number;
  delayed180_count: number | null;
  delayed360_count: number | null;
  delayed_min_sum: number;
};

/** A row of `raw.airport_hours`: 31 departures and 31 arrivals at JFK at 8:00 in July 2018, one of each per day. */
export function anAirportHour(changes: Partial<AirportHour> = {}): AirportHour {
  const departures = changes.crs_dep_count ?? 31;
  return {
    month: '2018-07-01',
    airport: 'JFK',
    weekday: null,
    local_hour: 8,
    crs_dep_count: departures,
    crs_arr_count: departures,
    completed_count: departures,
    delayed_count: 0,
    ...changes,
  };
}

export type AirportHour = {
  month: string;
  airport: string;
  weekday: number | null;
  local_hour: number;
  crs_dep_count: number;
  crs_arr_count: number | null;
  completed_count: number;
  delayed_count: number;
};

type Rows = {
  routeHours?: RouteHour[];
  airportHours?: AirportHour[];
  /** Days of the seed's calendar: flight_date, airport, completed, delayed. */
  airportDays?: [string, string, number, number][];
  /** Days of the loaded months, with the same fields. */
  loadedDays?: [string, string, number, number][];
  /** Rows of the delay-cause table: month, carrier, airport of arrival, arrived, 15 minutes late, cancelled. */
  delayCauses?: [string, string, string, number, number, number?][];
  /** country, date, name. */
  holidays?: [string, string, string?][];
};

/** Creates a migrated warehouse in memory with the rows and the airports JFK and LAX; it is closed after the test. */
export async function createWarehouse(t: ExecutionContext, rows: Rows = {}): Promise<Database> {
  // With few rows, starting a second thread takes as long as the work.
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  await fillWarehouse(db, rows);
  return db;
}

/** Migrates the empty warehouse and inserts the rows. */
export async function fillWarehouse(db: Database, rows: Rows): Promise<void> {
  await migrate(db);
  const routeHours = rows.routeHours ?? [];
  await insert(db, 'raw.route_hours', routeHours);
  const airportHours = rows.airportHours ?? [];
  await insert(db, 'raw.airport_hours', airportHours);
  await insert(
    db,
    'raw.lake_months',
    [...new Set([...routeHours, ...airportHours].map(({ month }) => month))].map(aLakeMonth),
  );
  await insert(db, 'raw.delay_causes', (rows.delayCauses ?? []).map(aCauseRow));
  await insert(db, 'reference.calendar_days', (rows.airportDays ?? []).map(anAirportDay));
  await insert(db, 'raw.airport_days', (rows.loadedDays ?? []).map(anAirportDay));
  await insert(
    db,
    'reference.holidays',
    (rows.holidays ?? []).map(([country_code, holiday_date, holiday = 'Holiday']) => ({
      country_code,
      holiday_date,
      holiday,
    })),
  );
  await insert(db, 'reference.airports', [anAirport('JFK'), anAirport('LAX')]);
}

/**
 * Returns a function like `buildWarehouse` that builds only the models up to `last`. This saves most of the time,
 * because effects take most of a build and come near its end.
 */
export function buildWarehouseUpTo(last: string) {
  return async (t: ExecutionContext, rows: Rows = {}): Promise<Database> => {
    const db = await createWarehouse(t, rows);
    for (const model of listModelsFor(last)) await buildModel(db, model);
    return db;
  };
}

/** Creates a warehouse with the rows and builds every model. */
export async function buildWarehouse(t: ExecutionContext, rows: Rows = {}): Promise<Database> {
  const db = await createWarehouse(t, rows);
  await buildModels(db, () => undefined);
  return db;
}

function anAirportDay([flight_date, airport, completed_count, delayed_count]: [
  string,
  string,
  number,
  number,
]) {
  return {
    flight_date,
    airport,
    flight_count: completed_count,
    cancelled_count: 0,
    completed_count,
    delayed_count,
  };
}

function aCauseRow([month, carrier, airport, arrived, arr_del15, arr_cancelled = 0]: NonNullable<
  Rows['delayCauses']
>[number]) {
  const arr_flights = arrived + arr_cancelled;
  return { month, carrier, airport, arr_flights, arr_del15, arr_cancelled, arr_diverted: 0 };
}

function aLakeMonth(month: string) {
  return {
    month,
    source_name: 'test.csv',
    source_sha256: 'abc',
    source_form: 'bts_short',
    rows_read: 1,
    rows_loaded: 1,
    rows_rejected: 0,
    code_version: 'test',
    extracted_at: '2026-01-01T00:00:00Z',
    loaded_at: '2026-01-01T00:00:00Z',
  };
}

function anAirport(iata: string) {
  return {
    iata,
    name: `${iata} Airport`,
    city: '',
    country: 'United States',
    country_code: 'US',
    time_zone: 'America/New_York',
    latitude: 40,
    longitude: -73,
  };
}

async function insert(db: Database, table: string, rows: object[]): Promise<void> {
  for (const row of rows) {
    const names = Object.keys(row);
    const values = names.map((name) => `$${name}`).join(', ');
    await db.run(`insert into ${table} (${names.join(', ')}) values (${values})`, { ...row });
  }
}

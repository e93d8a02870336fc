import { setImmediate } from 'node:timers/promises';
import { CorruptFileError } from '../errors.ts';
import { sha256 } from '../ground/hashes.ts';
import { decodeTable, type Columns } from './arrow.ts';
import { readEffects } from './effects.ts';
import { brandReader } from './brands.ts';
import { flightNumbersReader } from './flight-numbers.ts';
import { flightOddsReader } from './flight-odds.ts';
import { rowsByRoute, statsReader } from './flight-stats.ts';
import { congestionByDay, departureHours } from './hours.ts';
import { climatologyReader } from './climatology.ts';
import { comparisonsReader } from './comparisons.ts';
import { holidayCalendar } from './holiday-calendar.ts';
import { recentMonthsReader } from './recent-months.ts';
import { combineStores, manifestOfPart } from './parts.ts';
import { recordCellsReader, readOutcomes } from './record-cells.ts';
import { recordMonthsReader } from './record-months.ts';
import { routeRowsOf } from './route-rows.ts';
import type { StoreFiles, StoreManifest } from './store-manifest.ts';
import { STORE_TABLES, tableFile, type StoreTableName } from './tables.ts';
import type { Airline, Airport, FlightStats, Network, Rates, ScoreStore } from './types.ts';

/**
 * Loads a store version into memory for lookups.
 * Throws `CorruptFileError` if a file is missing, damaged or has another layout.
 */
export function openStore(store: StoreFiles): ScoreStore {
  const opening = openTableByTable(store);
  for (;;) {
    const step = opening.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Time after which opening pauses before the next table, so that waiting requests are answered. With shorter times,
 * opening a store would take longer.
 */
const SLICE_MS = 5;

/**
 * Opens a store in steps. Between the steps the process can answer requests: opening a large store takes a tenth of a
 * second.
 */
export async function openStoreInSlices(
  store: StoreFiles,
  sliceMs = SLICE_MS,
): Promise<ScoreStore> {
  const opening = openTableByTable(store);
  let sliceStart = performance.now();
  for (;;) {
    const step = opening.next();
    if (step.done === true) return step.value;
    if (performance.now() - sliceStart < sliceMs) continue;
    await setImmediate();
    sliceStart = performance.now();
  }
}

function* openTableByTable(store: StoreFiles): Generator<void, ScoreStore> {
  const own = yield* openRecord(store);
  const parts = [];
  for (const part of store.manifest.parts ?? []) {
    const manifest = manifestOfPart(store.manifest, part);
    parts.push(yield* openRecord({ manifest, files: store.files }));
  }
  return combineStores(own, parts);
}

function* openRecord(store: StoreFiles): Generator<void, Omit<ScoreStore, 'forRoute' | 'parts'>> {
  const { manifest } = store;
  const table = tableReader(store);
  const routeTable = yield* table('routes');
  const routes = rowsByRoute(routeTable);
  const routeStats = statsReader(routeTable);
  const routeCarrierTable = yield* table('route_carriers');
  const routeCarriers = routeRowsOf(routeCarrierTable);
  const routeCarrierStats = statsReader(routeCarrierTable);
  const recordMonths = recordMonthsReader(yield* table('route_records'));
  const flightOdds = flightOddsReader(yield* table('flight_odds'), routeCarriers);
  const airports = airportsOf(yield* table('airports'));
  const airlines = airlinesOf(yield* table('airlines'));
  const congestion = congestionByDay(yield* table('congestion'));
  const hours = departureHours(yield* table('departure_hours'));
  const climatology = climatologyReader(yield* table('climatology'));
  const season = oddsByLevel(yield* table('season_odds'));
  const effects = readEffects(yield* table('delay_effects'));
  const outcomes = readOutcomes(yield* table('outcome_effects'));
  const recordCells = recordCellsReader(yield* table('record_cells'));
  const comparisons = comparisonsReader(yield* table('comparisons'));
  const recentMonths = recentMonthsReader(yield* table('recent_months'));
  const groups = groupRatesOf(yield* table('group_rates'));
  const brands = brandReader(yield* table('brand_operators'));
  const network = networkOf(yield* table('network'));
  const holidayDay = holidayCalendar(yield* table('holiday_days'));
  const flightNumbers = flightNumbersReader(yield* table('flight_numbers'));
  const routeCarrier: ScoreStore['routeCarrier'] = (origin, dest, carrier) =>
    routeCarrierStats(routeCarriers.rowOf(origin, dest, carrier));
  return {
    manifest,
    network,
    airport: (iata) => airports.get(iata),
    airline: (iata) => airlines.get(iata),
    airports: () => airports.values(),
    airlines: () => airlines.values(),
    route: (origin, dest) => routeStats(routes(origin, dest)),
    routeCarrier,
    carriersOnRoute: (origin, dest) => {
      const [from, until] = routeCarriers.spanOf(origin, dest);
      return Array.from({ length: until - from }, (_, at) => ({
        carrier: routeCarriers.carrierAt(from + at),
        ...(routeCarrierStats(from + at) as FlightStats),
      }));
    },
    recordMonths: (origin, dest, carrier) =>
      recordMonths(routeCarriers.rowOf(origin, dest, carrier)),
    ...brands,
    recordCells,
    comparisons,
    recentMonths,
    airlineRoutes: routeCarriers.airlineRoutes,
    flightOdds,
    flightNumbers,
    groupRates: (kind, code) => groups.get(kind + code),
    ...congestion,
    climatology,
    departureHours: hours,
    monthOdds: season('month'),
    weekdayOdds: season('weekday'),
    holidayDay,
    effects,
    outcomes,
  };
}

/**
 * Returns a function that reads a table by name. The function is created here and not in `openRecord`, because the
 * closures of the look-ups created there would keep all files in memory.
 */
function tableReader({ manifest, files }: StoreFiles) {
  return (name: StoreTableName) => readTable(name, manifest, files);
}

function* readTable(
  name: StoreTableName,
  manifest: StoreManifest,
  files: Map<string, Uint8Array>,
): Generator<void, Columns> {
  yield;
  const entry = manifest.tables[name];
  const file = entry?.file ?? tableFile(name);
  const bytes = files.get(file);
  if (!entry || !bytes) throw new CorruptFileError(file, `missing from ${manifest.version}`);
  if (sha256(bytes) !== entry.sha256) {
    throw new CorruptFileError(file, `its sha256 does not match ${manifest.version}`);
  }
  yield;
  try {
    return decodeTable(bytes, STORE_TABLES[name].columns);
  } catch (error) {
    throw new CorruptFileError(file, `has an unexpected layout`, { cause: error });
  }
}

function airportsOf(columns: Columns): Map<string, Airport> {
  const airports = columns.rows().map(({ country_code, time_zone, ...rest }) => ({
    ...(rest as Pick<Airport, 'iata' | 'name' | 'city' | 'country' | 'latitude' | 'longitude'>),
    countryCode: String(country_code),
    timeZone: String(time_zone),
  }));
  return new Map(airports.map((airport) => [airport.iata, airport]));
}

function airlinesOf(columns: Columns): Map<string, Airline> {
  return new Map((columns.rows() as Airline[]).map((airline) => [airline.iata, airline]));
}

function networkOf(columns: Columns): Network {
  const [row] = columns.rows();
  if (!row) throw new CorruptFileError(tableFile('network'), 'has no rows');
  return {
    delayedRate: Number(row.delayed_rate),
    cancelledRate: Number(row.cancelled_rate),
    priorFlights: Number(row.prior_flights),
    levelLogOdds: Number(row.level_log_odds),
    levelRate: Number(row.level_rate),
    isLevelNow: row.is_level_now === 1,
    fullHourLogOdds: Number(row.full_hour_log_odds),
    calendarDays: Number(row.calendar_days),
  };
}

function groupRatesOf(columns: Columns): Map<string, Rates> {
  const rates = columns
    .rows()
    .map((row): [string, Rates] => [
      `${row.kind}${row.code}`,
      { delayedRate: Number(row.delayed_rate), cancelledRate: Number(row.cancelled_rate) },
    ]);
  return new Map(rates);
}

/**
 * Returns a function that looks up odds by kind (month or weekday) and then by level (the number of the month or
 * weekday). A level that is not in the table has the odds 1.
 */
function oddsByLevel(columns: Columns): (kind: string) => (level: number) => number {
  const kinds = columns.text('kind');
  const levels = columns.numbers('level');
  const odds = columns.numbers('odds');
  return (kind) => {
    const kindOdds = new Map<number, number>();
    for (let row = 0; row < columns.rowCount; row++) {
      if (kinds[row] === kind) kindOdds.set(levels[row] as number, odds[row] as number);
    }
    return (level) => kindOdds.get(level) ?? 1;
  };
}

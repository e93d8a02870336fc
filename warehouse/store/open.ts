import { setImmediate } from 'node:timers/promises';
import { CorruptFileError } from '../errors.ts';
import { sha256 } from '../ground/sha256.ts';
import { decodeTable, type Columns } from './arrow.ts';
import { readEffects } from './effects.ts';
import { flightOddsReader } from './flight-odds.ts';
import { rowsByCodes, statsReader } from './flight-stats.ts';
import { congestionByDay, departureHours } from './hours.ts';
import { climatologyReader } from './climatology.ts';
import { comparisonsReader } from './comparisons.ts';
import { holidayCalendar } from './holiday-calendar.ts';
import { recentMonthsReader } from './recent-months.ts';
import { recordCellsReader } from './record-cells.ts';
import { recordMonthsReader } from './record-months.ts';
import { STORE_TABLES, tableFile, type StoreTableName } from './tables.ts';
import type {
  Airline,
  AirlineRoute,
  Airport,
  Network,
  Rates,
  ScoreStore,
  StoreManifest,
} from './types.ts';

/** A store version as bytes: its manifest, and its files by name. */
export type StoreFiles = { manifest: StoreManifest; files: Map<string, Uint8Array> };

/**
 * A store version in memory, ready for look-ups.
 * Throws `CorruptFileError` when a file is missing, damaged, or not laid out as this code expects.
 */
export function openStore(store: StoreFiles): ScoreStore {
  const opening = openTableByTable(store);
  for (;;) {
    const step = opening.next();
    if (step.done === true) return step.value;
  }
}

/** The same, letting other work pass after each table: a big store takes a fraction of a second, in which callers wait. */
export async function openStoreAside(store: StoreFiles): Promise<ScoreStore> {
  const opening = openTableByTable(store);
  for (;;) {
    const step = opening.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}

function* openTableByTable(store: StoreFiles): Generator<void, ScoreStore> {
  const { manifest } = store;
  const table = tableReader(store);
  const routeTable = table('routes');
  const routes = rowsByCodes(routeTable, false);
  const routeStats = statsReader(routeTable);
  yield;
  const routeCarrierTable = table('route_carriers');
  const routeCarriers = rowsByCodes(routeCarrierTable, true);
  const routeCarrierStats = statsReader(routeCarrierTable);
  yield;
  const recordMonths = recordMonthsReader(table('route_records'));
  const flightOdds = flightOddsReader(table('flight_odds'), routeCarriers);
  yield;
  const carriers = carriersByRoute(routeCarrierTable);
  yield;
  const airports = airportsOf(table('airports'));
  const airlines = airlinesOf(table('airlines'));
  yield;
  const congestion = congestionByDay(table('congestion'));
  yield;
  const hours = departureHours(table('departure_hours'));
  yield;
  const climatology = climatologyReader(table('climatology'));
  const season = oddsByLevel(table('season_odds'));
  yield;
  const effects = readEffects(table('delay_effects'));
  yield;
  const recordCells = recordCellsReader(table('record_cells'));
  const comparisons = comparisonsReader(table('comparisons'));
  const recentMonths = recentMonthsReader(table('recent_months'));
  yield;
  const groups = groupRatesOf(table('group_rates'));
  const network = networkOf(table('network'));
  const holidayDistance = holidayCalendar(table('holiday_windows'));
  const routeCarrier: ScoreStore['routeCarrier'] = (origin, dest, carrier) =>
    routeCarrierStats(routeCarriers.rowOf(origin, dest, carrier));
  return {
    manifest,
    network,
    airport: (iata) => airports.get(iata),
    airline: (iata) => airlines.get(iata),
    airports: () => airports.values(),
    airlines: () => airlines.values(),
    route: (origin, dest) => routeStats(routes.rowOf(origin, dest)),
    routeCarrier,
    carriersOnRoute: (origin, dest) =>
      (carriers.get(origin + dest) ?? []).flatMap((carrier) => {
        const stats = routeCarrier(origin, dest, carrier);
        return stats ? [{ carrier, ...stats }] : [];
      }),
    recordMonths: (origin, dest, carrier) =>
      recordMonths(routeCarriers.rowOf(origin, dest, carrier)),
    recordCells,
    comparisons,
    recentMonths,
    airlineRoutes: () => airlineRoutesOf(carriers),
    flightOdds,
    groupRates: (kind, code) => groups.get(kind + code),
    ...congestion,
    climatology,
    departureHours: hours,
    monthOdds: season('month'),
    weekdayOdds: season('weekday'),
    holidayOdds: season('holiday'),
    holidayDistance,
    effects,
  };
}

/** A function of its own: one made where the look-ups are would keep the files in memory as long as they. */
function tableReader({ manifest, files }: StoreFiles): (name: StoreTableName) => Columns {
  return (name) => readTable(name, manifest, files);
}

function readTable(
  name: StoreTableName,
  manifest: StoreManifest,
  files: Map<string, Uint8Array>,
): Columns {
  const file = tableFile(name);
  const entry = manifest.tables[name];
  const bytes = files.get(file);
  if (!entry || !bytes) throw new CorruptFileError(file, `missing from ${manifest.version}`);
  if (sha256(bytes) !== entry.sha256) {
    throw new CorruptFileError(file, `its sha256 is not that of ${manifest.version}`);
  }
  try {
    return decodeTable(bytes, STORE_TABLES[name].columns);
  } catch (error) {
    throw new CorruptFileError(file, `not laid out as expected`, { cause: error });
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
  if (!row) throw new CorruptFileError(tableFile('network'), 'has no row');
  return {
    delayedRate: Number(row.delayed_rate),
    cancelledRate: Number(row.cancelled_rate),
    priorFlights: Number(row.prior_flights),
    levelLogOdds: Number(row.level_log_odds),
    levelRate: Number(row.level_rate),
    isLevelNow: row.is_level_now === 1,
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

/** For each kind a look-up of the odds by level; 1 where the table has none. */
function oddsByLevel(columns: Columns): (kind: string) => (level: number) => number {
  const kinds = columns.text('kind');
  const levels = columns.numbers('level');
  const odds = columns.numbers('odds');
  return (kind) => {
    const ofKind = new Map<number, number>();
    for (let row = 0; row < columns.rowCount; row++) {
      if (kinds[row] === kind) ofKind.set(levels[row] as number, odds[row] as number);
    }
    return (level) => ofKind.get(level) ?? 1;
  };
}

/** In the order of the table. */
function* airlineRoutesOf(carriers: Map<string, string[]>): Generator<AirlineRoute> {
  for (const [route, some] of carriers) {
    const [origin, dest] = [route.slice(0, 3), route.slice(3)];
    for (const carrier of some) yield { origin, dest, carrier };
  }
}

function carriersByRoute(columns: Columns): Map<string, string[]> {
  const origins = columns.text('origin');
  const dests = columns.text('dest');
  const byRoute = new Map<string, string[]>();
  for (const [row, carrier] of columns.text('carrier').entries()) {
    const route = `${origins[row]}${dests[row]}`;
    const carriers = byRoute.get(route);
    if (carriers) carriers.push(carrier);
    else byRoute.set(route, [carrier]);
  }
  return byRoute;
}

import { CorruptFileError } from './errors.ts';
import { sha256 } from '../sha256.ts';
import { decodeTable, type Columns } from './arrow.ts';
import { departureHours } from './departure-hours.ts';
import { statsReader } from './flight-stats.ts';
import { holidayCalendar } from './holiday-calendar.ts';
import { STORE_TABLES, tableFile, type StoreTableName } from './tables.ts';
import type { Airline, Airport, Network, Rates, ScoreStore, StoreManifest } from './types.ts';

/** A store version as bytes: its manifest, and its files by name. */
export type StoreFiles = { manifest: StoreManifest; files: Map<string, Uint8Array> };

/**
 * A store version in memory, ready for look-ups.
 * Throws `CorruptFileError` when a file is missing, damaged, or not laid out as this code expects.
 */
export function openStore({ manifest, files }: StoreFiles): ScoreStore {
  const table = (name: StoreTableName) => readTable(name, manifest, files);
  const routes = statsReader(table('routes'), ['origin', 'dest']);
  const routeCarrierTable = table('route_carriers');
  const routeCarriers = statsReader(routeCarrierTable, ['origin', 'dest', 'carrier']);
  const carriers = carriersByRoute(routeCarrierTable);
  const airports = airportsOf(table('airports'));
  const airlines = airlinesOf(table('airlines'));
  const congestion = congestionByDay(table('congestion'));
  const season = oddsByLevel(table('season_odds'));
  const hours = departureHours(table('departure_hours'));
  const effects = effectsOf(table('delay_effects'));
  const groups = groupRatesOf(table('group_rates'));
  const network = networkOf(table('network'));
  return {
    manifest,
    network,
    airport: (iata) => airports.get(iata),
    airline: (iata) => airlines.get(iata),
    route: (origin, dest) => routes(origin + dest),
    routeCarrier: (origin, dest, carrier) => routeCarriers(origin + dest + carrier),
    carriersOnRoute: (origin, dest) =>
      (carriers.get(origin + dest) ?? []).flatMap((carrier) => {
        const stats = routeCarriers(origin + dest + carrier);
        return stats ? [{ carrier, ...stats }] : [];
      }),
    departureHours: (origin, dest, carrier) => hours(origin + dest + carrier),
    groupRates: (kind, code) => groups.get(kind + code),
    congestion: (iata, month, weekday) => congestion.get(`${iata}${month}-${weekday}`),
    monthOdds: (month) => season.get(`month${month}`) ?? 1,
    weekdayOdds: (weekday) => season.get(`weekday${weekday}`) ?? 1,
    holidayOdds: (days) => season.get(`holiday${days}`) ?? 1,
    holidayDistance: holidayCalendar(table('holiday_windows')),
    delayEffect: (kind, key) => effects.get(`${kind} ${key}`),
  };
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

function effectsOf(columns: Columns): Map<string, number> {
  const keys = columns.text('key');
  const effects = columns.numbers('effect');
  return new Map(
    columns.text('kind').map((kind, row) => [`${kind} ${keys[row]}`, effects[row] ?? 0]),
  );
}

function oddsByLevel(columns: Columns): Map<string, number> {
  const levels = columns.numbers('level');
  const odds = columns.numbers('odds');
  return new Map(
    columns.text('kind').map((kind, row) => [`${kind}${levels[row]}`, odds[row] ?? 1]),
  );
}

function congestionByDay(columns: Columns): Map<string, number> {
  const months = columns.numbers('month_of_year');
  const weekdays = columns.numbers('weekday');
  const congestion = columns.numbers('congestion');
  return new Map(
    columns
      .text('airport')
      .map((iata, row) => [`${iata}${months[row]}-${weekdays[row]}`, congestion[row] ?? 0]),
  );
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

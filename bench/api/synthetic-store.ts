import { STORE_TABLES, type StoreTableName } from '../../warehouse/store/tables.ts';
import { packStore } from '../../warehouse/store/pack.ts';
import type { Row } from '../../warehouse/store/arrow.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { randomFrom, type Random } from '../generate/random.ts';
import { effectRows } from './synthetic-effects.ts';
import { ALL_HOURS, HOURS } from '../../warehouse/ground/hours.ts';

/** Number of airline-routes. It is six times the number in the US in a year, like a much larger history. */
export const AIRLINE_ROUTES = 50_000;

const AIRPORTS = 1_000;
const CARRIERS = 40;
const CARRIERS_PER_ROUTE = 3;
/** First and last day with generated holidays, in days since 1970: in 2018 and in 2030. */
const HOLIDAY_DAYS = [17_532, 21_915] as const;
/** January 2025, in months since January 1970. */
const MONTHS_FROM = 12 * 55;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'];

export type Flight = { origin: string; dest: string; carrier: string };

export type SyntheticStore = {
  files: StoreFiles;
  /** All airline-routes of the store, in the order of the table. */
  flights: Flight[];
};

/**
 * Builds a store with 50,000 airline-routes between 1,000 airports; a different `builtAt` gives a version with
 * different figures.
 */
export function syntheticStore(builtAt: string): SyntheticStore {
  const random = randomFrom(`store ${builtAt}`);
  const airports = Array.from({ length: AIRPORTS }, (_, at) => toLetters(at * 17, 3));
  const carriers = Array.from({ length: CARRIERS }, (_, at) => toLetters(at * 11, 2));
  const flights = flightsBetween(airports, carriers);
  const routes = flights.filter((_, at) => at % CARRIERS_PER_ROUTE === 0);
  const rows: Partial<Record<StoreTableName, Row[]>> = {
    network: [
      {
        delayed_rate: 0.12,
        cancelled_rate: 0.017,
        prior_flights: 50,
        level_log_odds: -2.041,
        level_rate: 0.115,
        is_level_now: 0,
        calendar_days: 365,
        full_hour_log_odds: 0.25,
      },
    ],
    airports: airports.map((iata, at) => airportRow(iata, at)),
    airlines: carriers.map((iata) => ({ iata, name: `Airline ${iata}`, country: 'Testland' })),
    routes: routes.map(({ origin, dest }) => ({ origin, dest, ...statsRow(random) })),
    route_carriers: flights.map((flight) => ({ ...flight, ...statsRow(random) })),
    route_records: flights.map(() => ({ first_month: MONTHS_FROM, last_month: MONTHS_FROM + 11 })),
    group_rates: groupRows(airports, carriers, random),
    congestion: congestionRows(airports, random),
    departure_hours: flights.map((flight, at) => ({
      ...flight,
      ...hours((hour) => (isFlownAt(at, hour) ? 1 + random.below(400) : 0)),
    })),
    flight_odds: flights.flatMap((_, at) => oddsRows(at, random)),
    delay_effects: effectRows(flights, random),
    season_odds: seasonRows(),
    holiday_days: holidayRows(),
  };
  const months = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}`);
  const files = packStore({
    rows: withEmptyTables(rows),
    builtAt,
    provider: 'bts',
    months,
    lastFlightDate: null,
  });
  return { files, flights };
}

/** Adds every missing table, without rows. */
function withEmptyTables(
  rows: Partial<Record<StoreTableName, Row[]>>,
): Record<StoreTableName, Row[]> {
  const names = Object.keys(STORE_TABLES) as StoreTableName[];
  return Object.fromEntries(names.map((name) => [name, rows[name] ?? []])) as Record<
    StoreTableName,
    Row[]
  >;
}

/** Writes the number as a code of letters: 0 is `AAA`. */
function toLetters(number: number, length: number): string {
  let rest = number;
  let letters = '';
  while (letters.length < length) {
    letters = LETTERS.charAt(rest % 26) + letters;
    rest = Math.floor(rest / 26);
  }
  return letters;
}

function flightsBetween(airports: string[], carriers: string[]): Flight[] {
  const perAirport = Math.ceil(AIRLINE_ROUTES / CARRIERS_PER_ROUTE / airports.length);
  const flights = airports.flatMap((origin, from) =>
    Array.from({ length: perAirport * CARRIERS_PER_ROUTE }, (_, at) => {
      const to = from + 1 + 7 * Math.floor(at / CARRIERS_PER_ROUTE);
      return {
        origin,
        dest: airports[to % airports.length] ?? '',
        carrier: carriers[(from + at) % carriers.length] ?? '',
      };
    }),
  );
  return flights.slice(0, AIRLINE_ROUTES);
}

function airportRow(iata: string, at: number): Row {
  const place = { city: `City ${iata}`, country: 'United States', country_code: 'US' };
  const time_zone = ZONES[at % ZONES.length] ?? '';
  const position = { latitude: (at % 120) - 60, longitude: (at % 300) - 150 };
  return { iata, name: `${iata} International Airport`, ...place, time_zone, ...position };
}

function statsRow(random: Random): Row {
  const flights = 50 + random.below(4_000);
  const delayed = random.below(Math.ceil(flights / 4));
  const cancelled = random.below(Math.ceil(flights / 40));
  return {
    flight_count: flights,
    completed_count: flights - cancelled,
    delayed_count: delayed,
    cancelled_count: cancelled,
    delayed_min_sum: delayed * 60,
    delayed_rate: 0.03 + random.next() / 4,
    cancelled_rate: 0.003 + random.next() / 40,
  };
}

function groupRows(airports: string[], carriers: string[], random: Random): Row[] {
  const groups = { carrier: carriers, dest: airports, origin: airports };
  return Object.entries(groups).flatMap(([kind, codes]) =>
    codes.map((code) => ({
      kind,
      code,
      delayed_rate: 0.05 + random.next() / 5,
      cancelled_rate: 0.005 + random.next() / 50,
    })),
  );
}

function congestionRows(airports: string[], random: Random): Row[] {
  return airports.flatMap((airport) =>
    Array.from({ length: 12 * 7 }, (_, at) => ({
      airport,
      month_of_year: 1 + Math.floor(at / 7),
      weekday: 1 + (at % 7),
      congestion: random.next(),
      ...hours(() => random.next()),
    })),
  );
}

function hours(valueOf: (hour: number) => number): Row {
  return { hours: HOURS.map(valueOf) };
}

/**
 * Whether the flight departs in this hour. Like a real airline-route, each flight departs in six hours of the day, one
 * to five hours apart.
 */
function isFlownAt(flight: number, hour: number): boolean {
  return hour >= 5 && (hour * 7 + flight) % 19 < 6;
}

/** Returns one row for all hours together, and one for each hour with departures. */
function oddsRows(flight: number, random: Random): Row[] {
  const flownHours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) =>
    isFlownAt(flight, hour),
  );
  return [ALL_HOURS, ...flownHours].map((hour) => ({
    hour,
    log_odds: random.next() - 0.5,
    summer_log_odds: random.next() - 0.5,
    winter_log_odds: random.next() - 0.5,
  }));
}

function seasonRows(): Row[] {
  const levels = (kind: string, from: number, until: number) =>
    Array.from({ length: until - from }, (_, at) => ({
      kind,
      level: from + at,
      odds: 1 + (at % 5) / 20,
    }));
  return [...levels('month', 1, 13), ...levels('weekday', 1, 8)];
}

/** Returns a holiday every 30 days, each with the three days before and after. */
function holidayRows(): Row[] {
  const [from, until] = HOLIDAY_DAYS;
  return Array.from({ length: until - from }, (_, at) => ({
    country_code: 'US',
    epoch_day: from + at,
    name: at % 30 === 3 ? 'Holiday' : '',
    log_odds: ((at % 30) - 3) / 10,
  })).filter(({ log_odds }) => log_odds <= 0.3);
}

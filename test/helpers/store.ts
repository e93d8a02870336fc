import { logit } from '../../warehouse/ground/log-odds.ts';
import { decodeTable, encodeTable } from '../../warehouse/store/arrow.ts';
import { layOutEffects, readEffects } from '../../warehouse/store/effects.ts';
import {
  OUTCOME_STEPS,
  type OutcomeStep,
  type OutcomeTable,
} from '../../warehouse/store/outcome-kinds.ts';
import { STORE_TABLES } from '../../warehouse/store/tables.ts';
import type {
  Airline,
  Airport,
  CarrierStats,
  EffectTable,
  FlightStats,
  ScoreStore,
} from '../../warehouse/store/types.ts';
import type { StoreManifest } from '../../warehouse/store/store-manifest.ts';

/** The record of 1,000 flights on a route: 980 completed, 196 of them delayed by an hour on average, 15 cancelled. */
export function someStats(changes: Partial<FlightStats> = {}): FlightStats {
  return {
    flightCount: 1000,
    completedCount: 980,
    delayedCount: 196,
    cancelledCount: 15,
    delayedMinSum: 11_760,
    delayedRate: 0.19,
    cancelledRate: 0.016,
    ...changes,
  };
}

type Rows = {
  manifest?: Partial<StoreManifest>;
  airports?: Airport[];
  airlines?: Airline[];
  /** Stats by `ORIGIN-DEST`. */
  routes?: Record<string, FlightStats>;
  /** Stats by `ORIGIN-DEST`, carriers in code order. */
  carriers?: Record<string, CarrierStats[]>;
};

/**
 * A score store with the given rows. By default, AA, B6 and DL fly JFK-LAX, AA flies LAX-JFK, there are no other
 * routes, and every day is an average day.
 */
export function aStore(rows: Rows = {}): ScoreStore {
  const airports = new Map((rows.airports ?? AIRPORTS).map((row) => [row.iata, row]));
  const airlines = new Map((rows.airlines ?? AIRLINES).map((row) => [row.iata, row]));
  const routes: Record<string, FlightStats> = rows.routes ?? ROUTES;
  const carriers: Record<string, CarrierStats[]> = rows.carriers ?? CARRIERS;
  return {
    manifest: { ...MANIFEST, ...rows.manifest },
    // A test may spread this store into another one, which is then its own store.
    forRoute(this: ScoreStore) {
      return this;
    },
    parts: [],
    network: NETWORK,
    airport: (iata) => airports.get(iata),
    airline: (iata) => airlines.get(iata),
    airports: () => airports.values(),
    airlines: () => airlines.values(),
    route: (origin, dest) => routes[`${origin}-${dest}`],
    routeCarrier: (origin, dest, carrier) =>
      carriers[`${origin}-${dest}`]?.find((row) => row.carrier === carrier),
    carriersOnRoute: (origin, dest) => carriers[`${origin}-${dest}`] ?? [],
    brand: () => undefined,
    brandsOnRoute: () => [],
    brandRoutes: () => [],
    recordCells: () => undefined,
    comparisons: () => [],
    recentMonths: () => [],
    recordMonths: (origin, dest, carrier) =>
      carriers[`${origin}-${dest}`]?.some((row) => row.carrier === carrier)
        ? { first: '2025-01', last: '2026-02' }
        : undefined,
    airlineRoutes: () => [],
    flightOdds: () => undefined,
    flightNumbers: { find: () => undefined, onRoute: () => [], newestMonth: undefined },
    groupRates: () => undefined,
    congestion: (iata) => (iata === 'JFK' ? 0.71234 : 0.4),
    congestionByHour: (iata) => new Float32Array(24).fill(iata === 'JFK' ? 0.71234 : 0.4),
    departureHours: () => undefined,
    climatology: () => undefined,
    monthOdds: () => 1,
    weekdayOdds: () => 1,
    holidayDay: () => undefined,
    outcomes: outcomeTable({}),
    effects: rows.carriers ? effectTable(effectsOfStats(carriers)) : EFFECTS,
  };
}

/** A table of effects by kind and key: `{ 'hour 17': 0.4 }`. */
export function effectTable(named: Record<string, number>): EffectTable {
  const { columns } = STORE_TABLES.delay_effects;
  const rows = Object.entries(named).map(([name, effect]) => {
    const [kind = '', key = ''] = name.split(' ');
    return { kind, key, effect };
  });
  return readEffects(decodeTable(encodeTable(layOutEffects(rows), columns), columns));
}

/**
 * Effects on the steps between outcomes, by group and step: `{ 'carrier AA': { late60: 0.4 } }`. The network has the
 * effects in `NETWORK_STEPS`, unless `named` replaces them.
 */
export function outcomeTable(
  named: Record<string, Partial<Record<OutcomeStep, number>>>,
): OutcomeTable {
  const groups = { 'network ': NETWORK_STEPS, ...named };
  const names = Object.keys(groups);
  const effects = Object.values(groups).flatMap((steps) =>
    OUTCOME_STEPS.map((step) => steps[step] ?? 0),
  );
  return {
    steps: OUTCOME_STEPS,
    effects: Float32Array.from(effects),
    spreads: new Float32Array(effects.length).fill(0.1),
    rowOf: (name) => names.indexOf(name),
  };
}

const NETWORK_STEPS: Partial<Record<OutcomeStep, number>> = {
  late15: logit(0.1),
  late60: logit(0.5),
  late120: logit(0.4),
  late180: logit(0.45),
  late360: logit(0.2),
  diverted: logit(0.002),
};

/** Effects that reproduce the delay rates of the stats, relative to the network. */
function effectsOfStats(carriers: Record<string, CarrierStats[]>): Record<string, number> {
  const rows = Object.entries(carriers).flatMap(([route, stats]) =>
    stats.map(({ carrier, delayedRate }) => [
      `route_carrier ${route.replace('-', '')}${carrier}`,
      logit(delayedRate) - logit(NETWORK.delayedRate),
    ]),
  );
  return Object.fromEntries(rows) as Record<string, number>;
}

const NETWORK = {
  delayedRate: 0.12,
  cancelledRate: 0.017,
  priorFlights: 50,
  levelLogOdds: logit(0.12),
  levelRate: 0.12,
  isLevelNow: true,
  calendarDays: 365,
  fullHourLogOdds: 0.25,
};

const MANIFEST: StoreManifest = {
  schemaVersion: 8,
  version: '20260101T000000Z-abc123',
  builtAt: '2026-01-01T00:00:00.000Z',
  provider: 'bts',
  months: ['2025-01', '2025-02'],
  lastFlightDate: '2025-02-28',
  lastLevelMonth: '2025-12',
  tables: {},
};

const US = { country: 'United States', countryCode: 'US' };

const AIRPORTS: Airport[] = [
  {
    iata: 'JFK',
    name: 'John F. Kennedy International Airport',
    city: 'New York',
    timeZone: 'America/New_York',
    latitude: 40.64,
    longitude: -73.78,
    ...US,
  },
  {
    iata: 'LAX',
    name: 'Los Angeles International Airport',
    city: 'Los Angeles',
    timeZone: 'America/Los_Angeles',
    latitude: 33.94,
    longitude: -118.41,
    ...US,
  },
  {
    iata: 'AKL',
    name: 'Auckland Airport',
    city: 'Auckland',
    country: 'New Zealand',
    countryCode: 'NZ',
    timeZone: 'Pacific/Auckland',
    latitude: -37.01,
    longitude: 174.79,
  },
];

const AIRLINES: Airline[] = [
  { iata: 'AA', name: 'American Airlines', country: 'United States' },
  { iata: 'B6', name: 'JetBlue', country: 'United States' },
  { iata: 'DL', name: 'Delta Air Lines', country: 'United States' },
  { iata: 'NZ', name: 'Air New Zealand', country: 'New Zealand' },
];

const ROUTES = { 'JFK-LAX': someStats({ flightCount: 3000 }), 'LAX-JFK': someStats() };

const CARRIERS = {
  'JFK-LAX': [
    { carrier: 'AA', ...someStats() },
    { carrier: 'B6', ...someStats({ delayedCount: 294, delayedRate: 0.29 }) },
    { carrier: 'DL', ...someStats({ delayedCount: 98, delayedRate: 0.1 }) },
  ],
  'LAX-JFK': [{ carrier: 'AA', ...someStats() }],
};

const EFFECTS = effectTable(effectsOfStats(CARRIERS));

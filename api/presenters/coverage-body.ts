import { daysBetween, firstDay } from '../../warehouse/ground/dates.ts';
import { memoizeFor } from '../../warehouse/ground/load-once.ts';
import { spanOfRecords } from '../../warehouse/store/record-months.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type {
  CoverageBody,
  CoveredAirline,
  CoveredRecord,
  CoveredRoute,
} from '../schemas/coverage.ts';
import { placeName } from './names.ts';
import { providerFacts } from './provider-facts.ts';
import { accuracyStateOf, recordAccuracyOf } from './record-accuracy.ts';

/** Returns the records of a store with their age on a day (`YYYY-MM-DD`, UTC). */
export function coverageBodyOf(store: ScoreStore, today: string): CoverageBody {
  const records = recordsOf(store).map((record) => {
    const { last } = record.months;
    const ageDays = last === null ? null : Math.max(0, daysBetween(firstDay(last, 1), today));
    return { ...record, months: { ...record.months, age_days: ageDays } };
  });
  return { records };
}

/** Computed only once per store, because all airline-routes must be read. */
const recordsOf: (store: ScoreStore) => RecordFacts[] = memoizeFor((store: ScoreStore) =>
  [store, ...store.parts].map(recordOf).filter(({ flights }) => flights > 0),
);

/** A record without its age, which changes every day. */
type RecordFacts = Omit<CoveredRecord, 'months'> & {
  months: Omit<CoveredRecord['months'], 'age_days'>;
};

/** Maximum number of routes and airlines per table. The counts include all routes and airlines. */
const MAX_ROWS = 25;

type Service = {
  origin: string;
  dest: string;
  carrier: string;
  flights: number;
  months: { first: string; last: string };
};

function recordOf(store: ScoreStore): RecordFacts {
  const { provider, months, years = [], inferred = [] } = store.manifest;
  const { countries, ...facts } = providerFacts(store);
  const services = [...store.airlineRoutes()].flatMap(({ origin, dest, carrier }): Service[] => {
    const stats = store.routeCarrier(origin, dest, carrier);
    const record = store.recordMonths(origin, dest, carrier);
    return stats && record
      ? [{ origin, dest, carrier, flights: stats.flightCount, months: record }]
      : [];
  });
  const airlines = groupsOf(services, ({ carrier }) => carrier);
  const routes = groupsOf(services, ({ origin, dest }) => `${origin}-${dest}`);
  return {
    provider,
    ...facts,
    countries: [...countries],
    months: { first: months[0] ?? null, last: months.at(-1) ?? null, count: months.length },
    years: [...years],
    inferred_over_min: inferred[0]?.minutes ?? null,
    accuracy: accuracyStateOf(store) && recordAccuracyOf(store),
    flights: totalOf(services),
    airports: new Set(services.flatMap(({ origin, dest }) => [origin, dest])).size,
    route_count: routes.length,
    airline_count: airlines.length,
    airlines: airlines.slice(0, MAX_ROWS).map(([code, own]): CoveredAirline => ({
      code,
      name: store.airline(code)?.name ?? code,
      routes: own.length,
      flights: totalOf(own),
      ...spanOf(own),
    })),
    routes: routes.slice(0, MAX_ROWS).map(([, own]): CoveredRoute => {
      const { origin, dest } = own[0] as Service;
      return {
        ...{ origin, dest },
        name: `${placeName(origin, store)} to ${placeName(dest, store)}`,
        airlines: own.length,
        flights: totalOf(own),
        ...spanOf(own),
      };
    }),
  };
}

/** Groups airline-routes. The group with the most flights is first. */
function groupsOf(services: Service[], keyOf: (one: Service) => string): [string, Service[]][] {
  return [...Map.groupBy(services, keyOf)].toSorted(
    ([keyA, a], [keyB, b]) => totalOf(b) - totalOf(a) || (keyA < keyB ? -1 : 1),
  );
}

function totalOf(services: readonly Service[]): number {
  return services.reduce((total, { flights }) => total + flights, 0);
}

function spanOf(services: readonly Service[]): { first: string; last: string } {
  return spanOfRecords(services.map(({ months }) => months)) ?? { first: '', last: '' };
}

import type { FlightStats, ScoreStore } from '../warehouse/store/types.ts';
import { monthsOf } from './brands.ts';
import { endOfAirline } from './current-airlines.ts';
import { memoizeFor } from '../warehouse/ground/load-once.ts';
import { isoWeekday, monthOfYear, monthsBetween } from '../warehouse/ground/dates.ts';
import type { DataTier, EndsWeather, Evidence, FlightQuery, Placeholder } from './types.ts';
import parameters from './record-age.json' with { type: 'json' };

/** Every figure that can be a placeholder, in the order of answers. */
export const PLACEHOLDERS = [
  'delay_rate',
  'cancel_rate',
  'congestion_dep',
  'congestion_arr',
  'weather_dep',
  'weather_arr',
  'seasonality',
] as const satisfies readonly Placeholder[];

/**
 * Returns the evidence for a flight scored in `tier`: the parts that the history and the weather cover, and the figures
 * that are placeholders.
 */
export function evidenceOf(
  query: FlightQuery,
  tier: DataTier,
  store: ScoreStore,
  { weatherDep, weatherArr }: EndsWeather,
): Evidence {
  const { origin, dest, carrier, flightDate } = query;
  const isFlown = tier !== 'no_data';
  const hasRecord = {
    origin: isFlown || store.groupRates('origin', origin) !== undefined,
    dest: isFlown || store.groupRates('dest', dest) !== undefined,
    carrier: tier === 'exact' || store.groupRates('carrier', carrier) !== undefined,
  };
  const hasRates = hasRecord.origin || hasRecord.dest || hasRecord.carrier;
  const isCovered = (airport: string) =>
    isFlown || countriesOnRecord(store).has(store.airport(airport)?.countryCode ?? '');
  const [month, weekday] = [monthOfYear(flightDate), isoWeekday(flightDate)];
  const hasCongestion = (airport: string) =>
    store.congestion(airport, month, weekday) !== undefined;
  const isKnown: Record<Placeholder, boolean> = {
    delay_rate: hasRates,
    cancel_rate: hasRates,
    congestion_dep: hasCongestion(origin),
    congestion_arr: hasCongestion(dest),
    weather_dep: weatherDep !== undefined && weatherDep.basis !== 'none',
    weather_arr: weatherArr !== undefined && weatherArr.basis !== 'none',
    // The seasons of one country say nothing about another country.
    seasonality: hasRecord.origin || hasRecord.dest || (isCovered(origin) && isCovered(dest)),
  };
  const ended = endOfAirline(carrier, store);
  const recordEnd = recordEndOf(query, tier, store);
  return {
    hasRecord,
    ...(recordEnd !== undefined && { recordEnd }),
    recordWorth: recordWorth(recordEnd, flightDate),
    ...(ended !== undefined && { ended }),
    unknown: PLACEHOLDERS.filter((name) => !isKnown[name]),
    isHourKnown: hasRecord.origin || isCovered(origin),
  };
}

/** Returns the last month of the record that is used in this tier. */
function recordEndOf(query: FlightQuery, tier: DataTier, store: ScoreStore): string | undefined {
  const { origin, dest } = query;
  if (tier === 'exact') return monthsOf(query, store)?.last;
  const months = store
    .carriersOnRoute(origin, dest)
    .flatMap((stats) => store.recordMonths(origin, dest, stats.carrier)?.last ?? []);
  return months.toSorted().at(-1);
}

/** Returns the countries of all airports with flights in the history, as codes. */
export const countriesOnRecord: (store: ScoreStore) => ReadonlySet<string> = memoizeFor((store) => {
  const codes = [...store.airports()].flatMap(({ iata, countryCode }) =>
    store.groupRates('origin', iata) || store.groupRates('dest', iata) ? [countryCode] : [],
  );
  return new Set(codes);
});

/** Below this confidence (0 to 1), no answer calls a flight safe. */
export const SAFE_CONFIDENCE = 0.3;

/**
 * Weight of the other airlines' record for an airline that is new to a well-known route. The weight is in flights, as a
 * share of n0. Measured on airline-routes of 2018 with many flights: an estimate from other airlines' flights on the
 * route and the airline's flights elsewhere had the same error as an estimate from 40 of the airline's own flights on
 * the route.
 */
const NEWCOMER_SHARE = 1 / 3;

/**
 * The same weight for an airline without any flights in the history. It is lower, because nothing shows that this
 * airline resembles the others.
 */
const STRANGER_SHARE = 1 / 6;

/**
 * Returns the confidence w·n/(n+n0), 0 to 1. w is the worth of the record at its age. n is the number of the airline's
 * own flights on the route. If the airline has no flights there, the flights of other airlines count as a smaller
 * number. Without flights on the route, n is 0. `priorFlights` is n0.
 */
export function confidenceOf(
  tier: DataTier,
  { flightCount }: Pick<FlightStats, 'flightCount'>,
  { hasRecord, recordWorth: worth }: Pick<Evidence, 'hasRecord' | 'recordWorth'>,
  priorFlights: number,
): number {
  if (tier === 'exact') return (worth * flightCount) / (flightCount + priorFlights);
  const share = hasRecord.carrier ? NEWCOMER_SHARE : STRANGER_SHARE;
  const equivalentFlights = share * priorFlights * (flightCount / (flightCount + priorFlights));
  return (worth * equivalentFlights) / (equivalentFlights + priorFlights);
}

/**
 * Returns the weight of the evidence for a long-run rate, in flights. More evidence gives a narrower interval. If the
 * airline has flights on the route, the weight is their number, reduced by the age of the record, plus the prior. If
 * only other airlines have flights there, the weight is a share of the prior. Undefined without flights on the route.
 */
export function strengthOf(
  tier: DataTier,
  { completedCount }: Pick<FlightStats, 'completedCount'>,
  { hasRecord, recordWorth: worth }: Pick<Evidence, 'hasRecord' | 'recordWorth'>,
  priorFlights: number,
): number | undefined {
  if (tier === 'no_data') return undefined;
  if (tier === 'exact') return priorFlights + worth * completedCount;
  return priorFlights * (hasRecord.carrier ? NEWCOMER_SHARE : STRANGER_SHARE);
}

/** Fitted by `npm run fit -- age`. */
const { freshMonths, halfLifeMonths } = parameters;

/**
 * Returns the worth of a record for a flight, 0 to 1. A record that ends within a year before the flight has worth 1.
 * After that year, the worth halves at regular intervals. `lastMonth` is `YYYY-MM`; an unknown month counts as fresh.
 */
export function recordWorth(lastMonth: string | undefined, flightDate: string): number {
  if (lastMonth === undefined) return 1;
  const age = monthsBetween(lastMonth, flightDate);
  return 2 ** (-Math.max(0, age - freshMonths) / halfLifeMonths);
}

import type { FlightStats, ScoreStore } from '../warehouse/store/types.ts';
import { isoWeekday, monthOfYear, monthsBetween } from '../warehouse/ground/dates.ts';
import type { History } from './history.ts';
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
 * Returns the evidence for a flight: which parts of the flight have a record, how much the record is worth, and which
 * figures are placeholders.
 */
export function evidenceOf(
  query: FlightQuery,
  { hasRecord, isCovered, recordEnd, ended }: History,
  store: ScoreStore,
  { weatherDep, weatherArr }: EndsWeather,
): Evidence {
  const { origin, dest, flightDate } = query;
  const hasRates = hasRecord.origin || hasRecord.dest || hasRecord.carrier;
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
    // The season is known only with a record of an airport, or with flights in both countries. The seasons of one
    // country say nothing about another.
    seasonality: hasRecord.origin || hasRecord.dest || (isCovered.origin && isCovered.dest),
  };
  const evidence: Evidence = {
    hasRecord,
    recordWorth: recordWorth(recordEnd, flightDate),
    unknown: PLACEHOLDERS.filter((name) => !isKnown[name]),
    isHourKnown: hasRecord.origin || isCovered.origin,
  };
  if (recordEnd !== undefined) evidence.recordEnd = recordEnd;
  if (ended !== undefined) evidence.ended = ended;
  return evidence;
}

/** Below this confidence (0 to 1), no answer calls a flight safe. */
export const SAFE_CONFIDENCE = 0.3;

/**
 * Weight of the other airlines' record for an airline that is new to a well-known route. The weight is in flights, as a
 * share of n0. It was measured on airline-routes of 2018 with many flights. For each of them, the rate was estimated
 * from other airlines' flights on the route and from the airline's flights elsewhere. This estimate had the same error
 * as an estimate from 40 of the airline's own flights on the route.
 */
const NEWCOMER_SHARE = 1 / 3;

/**
 * The weight of the other airlines' record for an airline without any flights in the history. It is lower, because
 * nothing shows that this airline resembles the others.
 */
const STRANGER_SHARE = 1 / 6;

/**
 * Returns the confidence w·n/(n+n0), 0 to 1. w is the worth of the record at its age. n is the number of the airline's
 * own flights on the route. If the airline has no flights there, n is a smaller number, derived from the flights of
 * other airlines. Without flights on the route, n is 0. `priorFlights` is n0.
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
 * After that year, the worth halves at regular intervals. `lastMonth` is `YYYY-MM`; a record with an unknown month has
 * worth 1.
 */
export function recordWorth(lastMonth: string | undefined, flightDate: string): number {
  if (lastMonth === undefined) return 1;
  const age = monthsBetween(lastMonth, flightDate);
  return 2 ** (-Math.max(0, age - freshMonths) / halfLifeMonths);
}

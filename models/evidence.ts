import type { FlightStats, ScoreStore } from '../warehouse/store/types.ts';
import { isoWeekday, monthOfYear } from '../warehouse/ground/dates.ts';
import type { DataTier, EndsWeather, Evidence, FlightQuery, Held, Placeholder } from './types.ts';

/** Every figure that can be a placeholder, in the order of an answer. */
export const PLACEHOLDERS = [
  'delay_rate',
  'cancel_rate',
  'congestion_dep',
  'congestion_arr',
  'weather_dep',
  'weather_arr',
  'seasonality',
] as const satisfies readonly Placeholder[];

/** What the history and the weather at hand tell of a flight; the tier is the one it is scored in. */
export function evidenceOf(
  query: FlightQuery,
  tier: DataTier,
  store: ScoreStore,
  { weatherDep, weatherArr }: EndsWeather,
): Evidence {
  const { origin, dest, carrier, flightDate } = query;
  const isFlown = tier !== 'no_data';
  const held = {
    origin: isFlown || store.groupRates('origin', origin) !== undefined,
    dest: isFlown || store.groupRates('dest', dest) !== undefined,
    carrier: tier === 'exact' || store.groupRates('carrier', carrier) !== undefined,
  };
  const hasRates = held.origin || held.dest || held.carrier;
  const [month, weekday] = [monthOfYear(flightDate), isoWeekday(flightDate)];
  const hasCongestion = (airport: string) =>
    store.congestion(airport, month, weekday) !== undefined;
  const known: Record<Placeholder, boolean> = {
    delay_rate: hasRates,
    cancel_rate: hasRates,
    congestion_dep: hasCongestion(origin),
    congestion_arr: hasCongestion(dest),
    weather_dep: weatherDep !== undefined && weatherDep.basis !== 'none',
    weather_arr: weatherArr !== undefined && weatherArr.basis !== 'none',
    // The seasons are those of the airports of the history.
    seasonality: held.origin || held.dest,
  };
  return { held, unknown: PLACEHOLDERS.filter((name) => !known[name]) };
}

/** Below this confidence (0 to 1) no answer calls a flight safe. */
export const SAFE_CONFIDENCE = 0.3;

/**
 * Own flights that a well known route is worth to an airline new to it, as a share of n0: of the airline-routes of 2018
 * with many flights, what others' flights and the airline's elsewhere foretold erred as 40 own flights would.
 */
const NEWCOMER_SHARE = 1 / 3;

/** An airline the history has never seen anywhere is only taken to be like the others. */
const STRANGER_SHARE = 1 / 6;

/**
 * Confidence n/(n+n0), 0 to 1, n being the airline's own flights on the route, or what other airlines' flights there are
 * worth to it; 0 without any. `priorFlights` is n0.
 */
export function confidenceOf(
  tier: DataTier,
  { flightCount }: Pick<FlightStats, 'flightCount'>,
  held: Held,
  priorFlights: number,
): number {
  if (tier === 'exact') return flightCount / (flightCount + priorFlights);
  const share = held.carrier ? NEWCOMER_SHARE : STRANGER_SHARE;
  const worth = share * priorFlights * (flightCount / (flightCount + priorFlights));
  return worth / (worth + priorFlights);
}

/**
 * Flights a long-run rate is believed as, to say how far it may be off: the airline's own and its prior; for others what
 * the history holds of airports and airline. Undefined where it holds nothing.
 */
export function strengthOf(
  tier: DataTier,
  { completedCount }: Pick<FlightStats, 'completedCount'>,
  held: Held,
  priorFlights: number,
): number | undefined {
  if (tier === 'exact') return priorFlights + completedCount;
  if (tier === 'route_any_airline') {
    return priorFlights * (held.carrier ? NEWCOMER_SHARE : STRANGER_SHARE);
  }
  const parts = Number(held.origin) + Number(held.dest) + Number(held.carrier);
  return parts === 0 ? undefined : (priorFlights * STRANGER_SHARE * parts) / 3;
}

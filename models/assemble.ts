import type { ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery, LiveInputs } from './types.ts';

/** The features of a flight in the order of `FEATURES`, from one store version and the live inputs; NaN where unknown. */
export function assembleFeatures(
  query: FlightQuery,
  store: ScoreStore,
  _live: LiveInputs,
): Float32Array {
  const { origin, dest, carrier, flightDate } = query;
  const month = Number(flightDate.slice(5, 7));
  const weekday = new Date(`${flightDate}T00:00:00Z`).getUTCDay() || 7;
  return Float32Array.of(
    store.routeCarrier(origin, dest, carrier)?.delayedRate ?? Number.NaN,
    store.route(origin, dest)?.delayedRate ?? Number.NaN,
    month,
    weekday,
    query.depHour ?? Number.NaN,
    store.congestion(origin, month, weekday) ?? Number.NaN,
    store.congestion(dest, month, weekday) ?? Number.NaN,
  );
}

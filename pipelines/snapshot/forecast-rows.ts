import { hourToTime } from '../../warehouse/ground/hours.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { routeAirlines } from '../../models/current-airlines.ts';
import { flightCurve, type ScoredFlight } from '../../models/flight-curve.ts';
import { hourSharesOf } from '../../models/hour-shares.ts';
import { routeSellers } from '../../models/sellers.ts';
import type { SnapshotForecast } from '../../warehouse/build/snapshot-files.ts';
import { round, sum } from '../../warehouse/ground/numbers.ts';
import type { WatchedFlight } from '../../warehouse/live/watches.ts';
import type { AirlineRoute, ScoreStore } from '../../warehouse/store/types.ts';
import { disruptedOf } from '../record/freeze-night.ts';

export type SnapshotDeps = {
  store: ScoreStore;
  /** Whether the figures of the provider may be passed on. */
  mayShip: (provider: string) => boolean;
  /** Scores a flight as the API does; undefined if it cannot be scored. */
  assess: (flight: WatchedFlight) => Promise<ScoredFlight | undefined>;
};

/**
 * Days of the month that are forecast. They are one week, so that each weekday occurs once. The API's weather forecast
 * never reaches the middle of the next month, so the forecasts use typical weather.
 */
const DAYS = ['12', '13', '14', '15', '16', '17', '18'];
/** Minimum share of the airline's flights in an hour. An hour below this share is not forecast. */
const MIN_HOUR_SHARE = 0.001;

/** Forecasts every current airline-route at each of its departure hours for a month. */
export async function forecastMonth(
  month: string,
  { store, mayShip, assess }: SnapshotDeps,
): Promise<SnapshotForecast[]> {
  const rows: SnapshotForecast[] = [];
  for (const part of [store, ...store.parts]) {
    if (!mayShip(part.manifest.provider)) continue;
    for (const route of part.airlineRoutes()) {
      // Leaves out a route if the API scores it with the record of another provider. The API scores each route with one
      // record only. A row of this record would therefore have the figures of the other provider, and its terms may
      // forbid passing them on.
      if (store.forRoute(route.origin, route.dest) !== part) continue;
      await nextTurn();
      rows.push(...(await forecastRoute(route, month, part, assess)));
    }
  }
  return rows;
}

async function forecastRoute(
  { origin, dest, carrier }: AirlineRoute,
  month: string,
  store: ScoreStore,
  assess: SnapshotDeps['assess'],
): Promise<SnapshotForecast[]> {
  const airline = routeAirlines(origin, dest, store).find((one) => one.carrier === carrier);
  if (airline?.isCurrent !== true) return [];
  const { depHours, shares } = hourSharesOf({ origin, dest, carrier }, store);
  const { brands, inferredShare, confidence } = routeSellers({ origin, dest, carrier }, store);
  const rows: SnapshotForecast[] = [];
  for (const [at, hour] of depHours.entries()) {
    if ((shares[at] ?? 0) < MIN_HOUR_SHARE) continue;
    const hasHour = !Number.isNaN(hour);
    const time = hasHour ? { dep_time: hourToTime(hour) } : {};
    const week: ScoredFlight[] = [];
    for (const day of DAYS) {
      const date = `${month}-${day}`;
      const scored = await assess({ origin, dest, airline: carrier, date, ...time });
      if (scored) week.push(scored);
    }
    if (week.length === 0) continue;
    rows.push({
      ...{ month, provider: store.manifest.provider },
      ...{ airline: carrier, origin, destination: dest },
      ...(hasHour && { dep_hour: hour }),
      ...meansOf(week),
      record_flights: airline.flightCount,
      ...{ sold_by: brands.join(' '), sold_by_inferred: round(inferredShare, 4) },
      ...(confidence !== undefined && { sold_by_confidence: round(confidence, 4) }),
    });
  }
  return rows;
}

/** Returns the mean forecast of the flights of a week. */
function meansOf(
  week: readonly ScoredFlight[],
): Pick<SnapshotForecast, 'score' | 'confidence' | 'late_probability' | 'disrupted_probability'> {
  const mean = (valueOf: (flight: ScoredFlight) => number) => sum(week.map(valueOf)) / week.length;
  const probabilities = week.flatMap((flight) => {
    const late = flight.assessment.mlProbability;
    const curve = late === undefined ? undefined : flightCurve(flight);
    return late === undefined || !curve ? [] : [{ late, both: disruptedOf(late, curve.cancelled) }];
  });
  const hasModel = probabilities.length === week.length;
  return {
    score: round(
      mean(({ assessment }) => assessment.exactScore),
      2,
    ),
    confidence: round(
      mean(({ assessment }) => assessment.confidence),
      4,
    ),
    ...(hasModel && {
      late_probability: round(sum(probabilities.map(({ late }) => late)) / week.length, 4),
      disrupted_probability: round(sum(probabilities.map(({ both }) => both)) / week.length, 4),
    }),
  };
}

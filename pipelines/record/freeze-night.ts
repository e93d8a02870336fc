import { hourToTime } from '../../warehouse/ground/hours.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { flightCurve, type ScoredFlight } from '../../models/flight-curve.ts';
import type { DayWeather } from '../../models/types.ts';
import type { FrozenForecast } from '../../warehouse/build/frozen-forecasts.ts';
import { addDays } from '../../warehouse/ground/dates.ts';
import type { WatchedFlight } from '../../warehouse/live/watches.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { choosePanel, HORIZONS, type PanelFlight } from './panel.ts';

export type FreezeDeps = {
  store: ScoreStore;
  /** Scores a flight as the API does; undefined if it cannot be scored. */
  assess: (flight: WatchedFlight) => Promise<ScoredFlight | undefined>;
  now: () => Date;
};

/** Number of flights to score before other work of the process may run. */
const BATCH = 100;

/** Forecasts each flight of the panel for each horizon. Leaves out flights that cannot be scored. */
export async function freezeNight(
  night: string,
  { store, assess, now }: FreezeDeps,
): Promise<FrozenForecast[]> {
  const frozenAt = now().toISOString();
  const forecasts: FrozenForecast[] = [];
  for (const [at, flight] of choosePanel(store).entries()) {
    if (at % BATCH === 0) await nextTurn();
    for (const horizon of HORIZONS) {
      const scored = await assess(requestOf(flight, addDays(night, horizon)));
      if (!scored) continue;
      forecasts.push({
        ...{ night, frozen_at: frozenAt, horizon_days: horizon, traffic: flight.traffic },
        ...frozenOf(scored),
      });
    }
  }
  return forecasts;
}

function requestOf({ origin, dest, carrier, hour }: PanelFlight, date: string): WatchedFlight {
  const time = hour === undefined ? {} : { dep_time: hourToTime(hour) };
  return { origin, dest, airline: carrier, date, ...time };
}

/** Returns the forecast of a flight, with the values that it is based on. */
function frozenOf(
  scored: ScoredFlight,
): Omit<FrozenForecast, 'night' | 'frozen_at' | 'horizon_days' | 'traffic'> {
  const { query, assessment, store } = scored;
  const { manifest } = store;
  const curve = flightCurve(scored);
  const late = assessment.mlProbability;
  return {
    ...{ provider: manifest.provider, carrier: query.carrier },
    ...{ origin: query.origin, dest: query.dest, flight_date: query.flightDate },
    ...(query.crsDepHour !== undefined && { crs_dep_hour: query.crsDepHour }),
    ...{ tier: assessment.tier, score: assessment.exactScore, label: assessment.label },
    confidence: assessment.confidence,
    ...(late !== undefined && { late_probability: late }),
    ...(curve &&
      late !== undefined && { disrupted_probability: disruptedOf(late, curve.cancelled) }),
    ...weatherOf('dep', assessment.weatherDep),
    ...weatherOf('arr', assessment.weatherArr),
    ...(assessment.danger && {
      event_log_odds: assessment.danger.logOdds,
      ...(assessment.danger.cause !== undefined && { event_cause: assessment.danger.cause }),
    }),
    store_version: manifest.version,
    ...(manifest.model && { model_version: manifest.model.version }),
  };
}

/** Returns P(more than 30 minutes late or cancelled), which is the sum of both probabilities. */
export function disruptedOf(late: number, cancelled: number): number {
  return Math.min(1, late + cancelled);
}

type EndWeather<End extends 'dep' | 'arr'> = Pick<
  FrozenForecast,
  Extract<keyof FrozenForecast, `${End}_${string}`>
>;

function weatherOf<End extends 'dep' | 'arr'>(end: End, weather: DayWeather): EndWeather<End> {
  const { basis, fetchedAt, score, tempC, windMaxKmh, precipMaxMm } = weather;
  const values = {
    weather_basis: basis,
    weather_at: fetchedAt,
    weather_risk: score,
    temp_c: tempC,
    wind_max_kmh: windMaxKmh,
    precip_max_mm: precipMaxMm,
  };
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [`${end}_${name}`, value])) as never;
}

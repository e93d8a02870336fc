import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleType,
  retry,
  wrap,
  type IPolicy,
} from 'cockatiel';
import type { Forecast } from '../../warehouse/live/forecasts.ts';
import { SourceOutageError } from '../errors.ts';
import type { GuardedFetch } from '../fetch-guarded.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { answerError, pauseReason, MAX_WAIT_MS, type CallBudget } from './call-budget.ts';
import { callWeight, forecastUrl, isForecastDay, PLACES_PER_CALL } from './open-meteo-request.ts';
import { parseOpenMeteo } from './open-meteo.ts';
import type { WeatherPlace } from './types.ts';

export type WeatherReport = {
  /** Number of airports with flights, and number of airports with a new forecast. */
  airports: number;
  refreshed: number;
  /** Calls as the provider counts them. */
  calls: number;
  /** The reasons why airports still have their former forecast. */
  problems: string[];
};

export type RefreshWeatherDeps = {
  /** Base address of the forecast; if `undefined`, nothing is ever fetched. */
  forecastUrl: string | undefined;
  apiKey?: string;
  fetch: GuardedFetch;
  places: () => Promise<WeatherPlace[]>;
  budget: CallBudget;
  /** Retries and circuit breaker. All refreshes share them, because the circuit breaker counts failures. */
  policy: IPolicy;
  saveForecasts: (forecasts: Map<string, Forecast>) => Promise<void>;
  /** Pause between two requests, so that we stay within the calls per minute that the provider allows. */
  pauseMs: number;
  sleep: (ms: number) => Promise<unknown>;
  now: () => Date;
};

const FIRST_WAIT_MS = 1_000;
const MAX_RETRIES = 2;
/** Number of failed requests in a row, including retries, after which the circuit is open for `BREAK_MS`. */
const FAILURES_TO_BREAK = 6;
const BREAK_MS = 10 * 60_000;

/**
 * Fetches the forecast of every airport with flights and saves it request by request. An airport whose request failed
 * keeps its former forecast. Throws SourceOutageError when all requests failed.
 */
export async function refreshWeather(
  deps: RefreshWeatherDeps,
  progress: Progress,
): Promise<WeatherReport> {
  const { forecastUrl: base, budget } = deps;
  const report: WeatherReport = { airports: 0, refreshed: 0, calls: 0, problems: [] };
  if (base === undefined) return { ...report, problems: ['not fetched: OFFLINE=1 is set'] };
  const places = await deps.places();
  report.airports = places.length;
  for (let from = 0; from < places.length; from += PLACES_PER_CALL) {
    if (from > 0) await deps.sleep(deps.pauseMs);
    const batch = places.slice(from, from + PLACES_PER_CALL);
    const problem = await refreshBatch({ ...deps, base }, batch, report);
    if (problem !== undefined && !report.problems.includes(problem)) report.problems.push(problem);
    progress(Math.min(from + PLACES_PER_CALL, places.length), places.length, 'forecasts');
  }
  if (places.length > 0 && report.refreshed === 0) {
    const pausedMs = await budget.pausedMs();
    throw new SourceOutageError('weather', report.problems.join('; '), {
      ...(pausedMs > 0 && { retryAfterMs: pausedMs }),
    });
  }
  return report;
}

/**
 * Retries a request twice, with growing waits and never before the time that the provider requests; opens the circuit
 * after too many failures.
 */
export function weatherPolicy(
  random: () => number = Math.random,
  firstWaitMs = FIRST_WAIT_MS,
): IPolicy {
  const outages = handleType(SourceOutageError);
  const retryable = handleType(
    SourceOutageError,
    ({ retryAfterMs = 0 }) => retryAfterMs <= MAX_WAIT_MS,
  );
  const backoff = new DelegateBackoff<{ attempt: number; result: unknown }>(
    ({ attempt, result }) => {
      const { error } = result as { error?: SourceOutageError };
      const wait = firstWaitMs * 3 ** (attempt - 1) * (0.5 + random());
      return Math.max(wait, error?.retryAfterMs ?? 0);
    },
  );
  return wrap(
    retry(retryable, { maxAttempts: MAX_RETRIES, backoff }),
    circuitBreaker(outages, {
      halfOpenAfter: BREAK_MS,
      breaker: new ConsecutiveBreaker(FAILURES_TO_BREAK),
    }),
  );
}

/** Refreshes a batch and updates the report; returns the problem, if any. */
async function refreshBatch(
  deps: RefreshWeatherDeps & { base: string },
  batch: WeatherPlace[],
  report: WeatherReport,
): Promise<string | undefined> {
  try {
    const days = await deps.policy.execute(() => fetchBatch(deps, batch, report));
    const now = deps.now();
    const fetchedAt = now.toISOString();
    const forecasts = batch.flatMap(({ airport }, index): [string, Forecast][] => {
      const placeDays = (days[index] ?? []).filter(({ date }) => isForecastDay(date, now));
      if (placeDays.length === 0) return [];
      const byDate = placeDays.map(({ date, ...readings }) => [date, readings] as const);
      return [[airport, { fetchedAt, days: new Map(byDate) }]];
    });
    await deps.saveForecasts(new Map(forecasts));
    report.refreshed += forecasts.length;
    return forecasts.length < batch.length
      ? 'some places have no value for the coming days'
      : undefined;
  } catch (error) {
    if (error instanceof BrokenCircuitError) {
      return 'paused after repeated failures of the provider';
    }
    return (error as Error).message;
  }
}

async function fetchBatch(
  { base, apiKey, fetch, budget, now }: RefreshWeatherDeps & { base: string },
  batch: WeatherPlace[],
  report: WeatherReport,
) {
  const pausedMs = await budget.pausedMs();
  if (pausedMs > 0) throw new QuotaError(pauseReason(pausedMs, now()));
  const calls = callWeight(batch.length);
  if (!(await budget.take(calls))) throw new QuotaError("today's calls are used up");
  report.calls += calls;
  const url = forecastUrl(base, batch, apiKey);
  const answer = await fetch({ url });
  if (answer.status !== 200) throw await answerError(url, answer, { budget, now });
  return parseOpenMeteo(answer.body.toString(), batch);
}

/** An error that is not retried, because the request would exceed our own quota. */
class QuotaError extends Error {
  readonly isFinal = false;
  override readonly name = 'QuotaError';
}

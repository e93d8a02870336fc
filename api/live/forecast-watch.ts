import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  FORECASTS_CHANNEL,
  forecastsSavedAt,
  readForecasts,
  type Forecast,
} from '../../warehouse/live/forecasts.ts';
import { describeError } from '../redact.ts';
import { watchRedis, type Refresh } from '../redis-watch.ts';

export type ForecastWatch = {
  /** Returns the forecast for an airport; undefined when it was never fetched. */
  forecast: (airport: string) => Forecast | undefined;
  /** Returns when the newest forecast in memory was saved (ISO); undefined without forecasts. */
  savedAt: () => string | undefined;
  /** Resolves once the forecasts are read. */
  ready: Promise<void>;
  close: () => Promise<void>;
};

/** Interval of refreshes in case a message was lost, in ms. */
const REFRESH_EVERY_MS = 30_000;

/**
 * Copies the forecasts from Redis, where jobs write them, into memory. Answers read only from memory. While Redis is
 * unavailable, the last forecasts stay in use.
 */
export function watchForecasts({
  connect,
  log,
}: {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  log: Logger;
}): ForecastWatch {
  let forecasts = new Map<string, Forecast>();
  let savedAt: string | undefined;
  const refresh = async ({ redis, signal }: Refresh) => {
    const latest = await forecastsSavedAt(redis);
    if (latest === savedAt) return;
    const read = await readForecasts(redis);
    signal.throwIfAborted();
    [forecasts, savedAt] = [read, latest];
    log.info({ airports: forecasts.size }, 'forecasts loaded');
  };
  const watch = watchRedis({
    connect,
    channel: FORECASTS_CHANNEL,
    refreshEveryMs: REFRESH_EVERY_MS,
    refresh,
    onError: (error) => log.warn({ error: describeError(error) }, 'forecasts not read'),
  });
  return {
    forecast: (airport) => forecasts.get(airport),
    savedAt: () => savedAt,
    ready: watch.ready,
    close: watch.close,
  };
}

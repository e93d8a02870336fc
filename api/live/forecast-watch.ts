import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  FORECASTS_CHANNEL,
  forecastsSavedAt,
  parseForecasts,
  readForecastText,
  type Forecast,
} from '../../warehouse/live/forecasts.ts';
import { notArchived, type ArchiveLivePart } from './live-states.ts';
import { describeError } from '../redact.ts';
import { watchRedis, type Refresh } from '../redis-watch.ts';

export type ForecastWatch = {
  /** Returns the forecast for an airport; undefined when it was never fetched. */
  forecast: (airport: string) => Forecast | undefined;
  /** Returns when the newest forecast in memory was saved (ISO); undefined without forecasts. */
  savedAt: () => string | undefined;
  /** Returns the archived part with these forecasts; null before the first read, undefined if it is not archived. */
  archived: () => string | null | undefined;
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
  archive = notArchived,
  log,
}: {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  /** Archives the forecasts of former answers; absent in processes that do not sign answers. */
  archive?: ArchiveLivePart;
  log: Logger;
}): ForecastWatch {
  let forecasts = new Map<string, Forecast>();
  let savedAt: string | undefined;
  let archived: string | null | undefined = null;
  const refresh = async ({ redis, signal }: Refresh) => {
    const latest = await forecastsSavedAt(redis);
    if (latest === savedAt) return;
    const text = await readForecastText(redis);
    const part = await archive(text);
    signal.throwIfAborted();
    [forecasts, savedAt, archived] = [parseForecasts(text), latest, part];
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
    archived: () => archived,
    ready: watch.ready,
    close: watch.close,
  };
}

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
  /** Returns the forecast for an airport; undefined if the forecast was never fetched. */
  forecast: (airport: string) => Forecast | undefined;
  /** Returns the time (ISO) at which the forecasts in memory were saved; undefined without forecasts. */
  savedAt: () => string | undefined;
  /**
   * Returns the sha256 of the archived forecasts: null before the first read, undefined if the forecasts are not
   * archived.
   */
  archived: () => string | null | undefined;
  /** Resolves once the forecasts are read. */
  ready: Promise<void>;
  close: () => Promise<void>;
};

/** Redis is also read at this interval, in ms, because a message about a change can get lost. */
const REFRESH_EVERY_MS = 30_000;

/**
 * Keeps a copy of the forecasts in memory. Jobs write the forecasts to Redis; answers read only the copy. While Redis
 * is unavailable, the last forecasts stay in use.
 */
export function watchForecasts({
  connect,
  archive = notArchived,
  log,
}: {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  /**
   * Archives the forecasts, so that signed answers can be computed again. Absent in processes that do not sign answers.
   */
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

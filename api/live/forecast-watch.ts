import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  FORECASTS_CHANNEL,
  forecastsSavedAt,
  readForecasts,
  type Forecast,
} from '../../warehouse/live/forecasts.ts';
import { describeError } from '../redact.ts';
import { watchRedis, type Look } from '../redis-watch.ts';

export type ForecastWatch = {
  /** The forecast in memory for an airport; undefined when none was ever fetched. */
  forecast: (airport: string) => Forecast | undefined;
  /** When the newest of those in memory came (ISO); undefined when none was ever fetched. */
  savedAt: () => string | undefined;
  close: () => Promise<void>;
};

/** How often Redis is asked whether there is something new, in case a message was lost, in ms. */
const LOOK_EVERY_MS = 30_000;

/**
 * Keeps the forecasts in memory as the jobs bring them to Redis; what was read stays while Redis is away. Answers read
 * from memory alone.
 */
export function watchForecasts({
  connect,
  log,
}: {
  /** A new connection to Redis for each call. */
  connect: () => Redis;
  log: Logger;
}): ForecastWatch {
  let forecasts = new Map<string, Forecast>();
  let savedAt: string | undefined;
  const look = async ({ redis, signal }: Look) => {
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
    everyMs: LOOK_EVERY_MS,
    look,
    failed: (error) => log.warn({ error: describeError(error) }, 'forecasts not read'),
  });
  return {
    forecast: (airport) => forecasts.get(airport),
    savedAt: () => savedAt,
    close: watch.close,
  };
}

import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  FORECASTS_CHANNEL,
  forecastsSavedAt,
  readForecasts,
  type Forecast,
} from '../warehouse/store/forecasts.ts';
import { describeError } from './redact.ts';

export type LiveFeed = {
  /** The forecast in memory for an airport; undefined when none was ever fetched. */
  forecast: (airport: string) => Forecast | undefined;
  close: () => Promise<void>;
};

/** How often Redis is asked whether there is something new, in case a message was lost, in ms. */
const LOOK_EVERY_MS = 30_000;

/**
 * Keeps the forecasts in memory as the jobs bring them to Redis; what was read stays while Redis is away. Answers read
 * from memory alone.
 */
export function openLiveFeed({
  connect,
  log,
}: {
  /** A new connection to Redis for each call. */
  connect: () => Redis;
  log: Logger;
}): LiveFeed {
  let forecasts = new Map<string, Forecast>();
  let savedAt: string | undefined;
  let isClosed = false;
  const redis = connect();
  const subscriber = connect();

  const refresh = async () => {
    try {
      const latest = await forecastsSavedAt(redis);
      if (latest === savedAt) return;
      forecasts = await readForecasts(redis);
      savedAt = latest;
      log.info({ airports: forecasts.size }, 'forecasts loaded');
    } catch (error) {
      // While Redis is away, or let go of, the connection says so; the forecasts in memory go on serving.
      const isAway = isClosed || redis.status !== 'ready';
      if (!isAway) log.warn({ error: describeError(error) }, 'forecasts not read');
    }
  };
  // One look after the other, so that an older one cannot undo a newer.
  let looking = Promise.resolve();
  const look = () => {
    looking = looking.then(refresh);
  };

  subscriber.on('ready', () => void subscriber.subscribe(FORECASTS_CHANNEL).catch(() => undefined));
  subscriber.on('message', look);
  redis.on('ready', look);
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    forecast: (airport) => forecasts.get(airport),
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      redis.disconnect();
      subscriber.disconnect();
      await looking;
    },
  };
}

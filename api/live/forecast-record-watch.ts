import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  forecastRecordSavedAt,
  readForecastRecord,
  RECORD_CHANNEL,
  type ForecastRecord,
} from '../../warehouse/live/forecast-record.ts';
import { describeError } from '../redact.ts';
import { watchRedis, type Refresh } from '../redis-watch.ts';

export type ForecastRecordWatch = {
  /** Returns the published record of forecasts; undefined if no such record is published. */
  current: () => ForecastRecord | undefined;
  /** Resolves after the first read from Redis. */
  ready: Promise<void>;
  close: () => Promise<void>;
};

/**
 * Redis is also read at this interval, in ms, because a message about a change can get lost. The record changes once a
 * night.
 */
const REFRESH_EVERY_MS = 60_000;

/** Keeps a copy of the published record of forecasts in memory, and updates the copy when Redis announces a change. */
export function watchForecastRecord({
  connect,
  log,
}: {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  log: Logger;
}): ForecastRecordWatch {
  let record: ForecastRecord | undefined;
  const refresh = async ({ redis, signal }: Refresh) => {
    if ((await forecastRecordSavedAt(redis)) === record?.scoredAt) return;
    const read = await readForecastRecord(redis);
    signal.throwIfAborted();
    record = read;
  };
  const watch = watchRedis({
    connect,
    channel: RECORD_CHANNEL,
    refreshEveryMs: REFRESH_EVERY_MS,
    refresh,
    onError: (error) =>
      log.warn({ error: describeError(error) }, 'could not read the record of forecasts'),
  });
  return { current: () => record, ready: watch.ready, close: watch.close };
}

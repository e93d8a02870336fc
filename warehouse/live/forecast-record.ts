import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Redis } from 'ioredis';

/**
 * A bin of a reliability curve: the forecasts in `[from, to)`, their mean, and the actual share of flights with the
 * outcome.
 */
export type RecordBin = {
  from: number;
  to: number;
  flights: number;
  forecast: number;
  actual: number;
};

type WithNoise<Name extends string> = Record<Name | `${Name}_noise`, number | null>;

/** Figures about the forecasts for one group of flights. Each object is a row of `warehouse/sql/record/figures.sql`. */
export type RecordRow = WithNoise<
  | 'forecast'
  | 'actual'
  | 'level'
  | 'brier'
  | 'reliability'
  | 'resolution'
  | 'uncertainty'
  | 'log_loss'
  | 'auc'
> & {
  kind: 'live' | 'replayed';
  outcome: 'late' | 'disrupted';
  /** Null for replayed forecasts, which use only data from before their month. */
  horizon_days: number | null;
  /** `YYYY-MM`, or `all`. */
  month: string;
  provider: string;
  carrier: string;
  flight_count: number;
  event_count: number;
  block_count: number;
  bins: RecordBin[];
};

/** The record of forecasts as the API publishes it. */
export type ForecastRecord = {
  /** When the forecasts were last compared with actual flights (ISO). */
  scoredAt: string;
  /** The chain of frozen nights; null before the first night. */
  chain: {
    firstNight: string;
    lastNight: string;
    nights: number;
    /** Sha256 of the manifest of the last night. If any byte of any night changed, this hash would change. */
    head: string;
  } | null;
  forecasts: number;
  firstFlightDate: string | null;
  rows: RecordRow[];
};

const RECORD = 'hw:forecast-record';
/** Key with the time of the last write. Readers poll it to detect changes. */
const SAVED_AT = 'hw:forecast-record:saved-at';
export const RECORD_CHANNEL = 'hw:forecast-record:saved';

/** Publishes the record to all API processes. */
export async function saveForecastRecord(redis: Redis, record: ForecastRecord): Promise<void> {
  const packed = await promisify(gzip)(JSON.stringify(record));
  await redis
    .multi()
    .set(RECORD, packed)
    .set(SAVED_AT, record.scoredAt)
    .publish(RECORD_CHANNEL, record.scoredAt)
    .exec();
}

/** Returns when the record was last published (ISO); undefined if never. */
export async function forecastRecordSavedAt(redis: Redis): Promise<string | undefined> {
  return (await redis.get(SAVED_AT)) ?? undefined;
}

/** Reads the record; undefined if it was never published or cannot be read. */
export async function readForecastRecord(redis: Redis): Promise<ForecastRecord | undefined> {
  const packed = await redis.getBuffer(RECORD);
  if (!packed) return undefined;
  try {
    return JSON.parse((await promisify(gunzip)(packed)).toString()) as ForecastRecord;
  } catch {
    return undefined;
  }
}

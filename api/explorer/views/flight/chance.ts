import { lateShare } from './figures.ts';
import type { FullScore } from './flight-data.ts';

/** The probability that a flight arrives more than 30 minutes late or is cancelled, as a share from 0 to 1. */
export type Chance = {
  share: number;
  /** Interval of the share; absent without a record. Both ends include the same probability of a cancellation. */
  interval?: { level: number; low: number; high: number };
  /** The same probability for the average flight on all routes of the record. */
  average: number;
};

/**
 * Returns the probability from an answer of `/api/score`; undefined without a record. Without a model, the probability
 * comes from the statistics and has no interval.
 */
export function chanceOf({
  outlook,
  interval,
  drivers,
  data_source,
}: Pick<FullScore, 'outlook' | 'interval' | 'drivers' | 'data_source'>): Chance | undefined {
  if (data_source === 'no_data') return undefined;
  if (outlook === null) return { share: drivers.disrupted_share, average: drivers.average_share };
  const share = lateShare(outlook);
  const late = interval?.ml_probability;
  return {
    share,
    average: drivers.average_share,
    ...(interval &&
      late && {
        interval: {
          level: interval.level,
          low: Math.min(share, late.low / 100 + outlook.cancelled),
          high: Math.min(1, Math.max(share, late.high / 100 + outlook.cancelled)),
        },
      }),
  };
}

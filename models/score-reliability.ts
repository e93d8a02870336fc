import { z } from 'zod';
import { LABELS } from './label.ts';

const share = z.number().min(0).max(1);

/**
 * A group of flights: the number of flights, their share of all flights, and the share of the group that was delayed or
 * cancelled.
 */
const figures = { n: z.int().min(0), share, disrupted: share.nullable() };

const bandRow = z.object({ label: z.enum(LABELS), ...figures });
const points = z.int().min(0).max(100);

/**
 * Actual outcomes of flights, grouped by the score that the service would have given months before the flight. Part of
 * the model's metrics.
 */
export const scoreReliability = z.object({
  /** Scheduled flights that were not diverted, and the share of these flights that was delayed or cancelled. */
  n: z.int().min(0),
  disrupted: share.nullable(),
  bands: z.array(bandRow),
  /** One row per tenth of the score scale. `from` and `to` are the first and the last score of the row. */
  tenths: z.array(z.object({ from: points, to: points, ...figures })),
  /** One row per range of confidence. `from` and `to` are the ends of the range in percent, both included. */
  byConfidence: z.array(z.object({ from: points, to: points, bands: z.array(bandRow) })),
  /** One row per month of the flights, `YYYY-MM`; null in models made before months were counted. */
  byMonth: z
    .array(
      z.object({
        month: z.string(),
        n: z.int().min(0),
        disrupted: share.nullable(),
        bands: z.array(bandRow),
      }),
    )
    .nullable()
    .default(null),
  /** Number of airports, airlines and routes of the flights; null in models made before they were counted. */
  coverage: z
    .object({
      airports: z.int().min(0),
      carriers: z.int().min(0),
      /** Number of directed pairs of airports. */
      routes: z.int().min(0),
    })
    .nullable()
    .default(null),
});

export type ScoreReliability = z.infer<typeof scoreReliability>;
export type BandRow = z.infer<typeof bandRow>;
export type TenthRow = ScoreReliability['tenths'][number];

import { z } from 'zod';
import { LABELS } from './label.ts';

const share = z.number().min(0).max(1);

/** Flights of like score: how many, what share of all that is, and what share of them was delayed or cancelled. */
const came = { n: z.int().min(0), share, disrupted: share.nullable() };

const bandRow = z.object({ label: z.enum(LABELS), ...came });
const points = z.int().min(0).max(100);

/** What became of flights by the score they would have had, months before anybody knew; kept in the model's metrics. */
export const scoreReliability = z.object({
  /** Scheduled flights that were not diverted, and the share of them delayed or cancelled. */
  n: z.int().min(0),
  disrupted: share.nullable(),
  bands: z.array(bandRow),
  /** By tenth of the scale, both ends included. */
  tenths: z.array(z.object({ from: points, to: points, ...came })),
  /** Of flights whose confidence in percent lies between two, both included. */
  byConfidence: z.array(z.object({ from: points, to: points, bands: z.array(bandRow) })),
  /** Of each month of the flights, `YYYY-MM`; null of models from before it was counted. */
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
  /** What the flights are of; null of models from before it was counted. */
  coverage: z
    .object({
      airports: z.int().min(0),
      carriers: z.int().min(0),
      /** From one airport to another. */
      routes: z.int().min(0),
    })
    .nullable()
    .default(null),
});

export type ScoreReliability = z.infer<typeof scoreReliability>;
export type BandRow = z.infer<typeof bandRow>;
export type TenthRow = ScoreReliability['tenths'][number];

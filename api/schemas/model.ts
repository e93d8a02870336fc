import { z } from 'zod';
import { label } from './label.ts';

const share = z.number().min(0).max(1);

/** Flights of like score: how many, what share of all that is, and what share of them was delayed or cancelled. */
const came = { flights: z.int().min(0), share, disrupted: share.nullable() };

const bands = z.array(z.strictObject({ label, ...came }));
const points = z.int().min(0).max(100);

/** How well the score held on months nobody knew: by band, by tenth of the scale, and by band and confidence. */
const scoreReliabilityBody = z.strictObject({
  /** What the flights were scored without. */
  note: z.string(),
  months: z.array(z.string()),
  flights: z.int().min(0),
  disrupted: share.nullable(),
  bands,
  tenths: z.array(z.strictObject({ from: points, to: points, ...came })),
  by_confidence: z.array(z.strictObject({ from: points, to: points, bands })),
});

/** Answer of `/api/model`; `metrics` is what the training reported of months the model has not seen. */
export const modelBody = z.strictObject({
  version: z.string(),
  contract: z.string(),
  features: z.array(z.strictObject({ name: z.string(), unit: z.string(), what: z.string() })),
  trained_on: z.strictObject({
    months: z.array(z.string()),
    rows: z.int().min(0),
    data_sha256: z.string(),
  }),
  seed: z.int(),
  code_version: z.string(),
  created_at: z.string().nullable(),
  metrics: z.record(z.string(), z.unknown()),
  score_reliability: scoreReliabilityBody.nullable(),
  outlook_shares: z.strictObject({
    under_15: share,
    from_15_to_30: share,
    from_30_to_60: share,
    from_60_to_120: share,
    over_120: share,
  }),
});

export type ModelBody = z.infer<typeof modelBody>;

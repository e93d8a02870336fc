import { z } from 'zod';

const share = z.number().min(0).max(1);

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
  outlook_shares: z.strictObject({
    under_15: share,
    from_15_to_30: share,
    from_30_to_60: share,
    from_60_to_120: share,
    over_120: share,
  }),
});

export type ModelBody = z.infer<typeof modelBody>;

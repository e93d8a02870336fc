import { z } from 'zod';

const share = z.number().min(0).max(1);

/**
 * Two distributions of delays: one of the late flights (over 30 minutes), and one of the other flights. Each
 * distribution adds up to 1.
 */
export const outlookShares = z.object({
  notLate: z.object({ under15: share, from15to30: share }),
  late: z.object({ from30to60: share, from60to120: share, over120: share }),
});

/**
 * The completed flights used for training: their months and their numbers of flights, airports, airlines and routes.
 */
const coverage = z.object({
  /** `YYYY-MM`. */
  first: z.string(),
  last: z.string(),
  flights: z.int().min(0),
  airports: z.int().min(0),
  carriers: z.int().min(0),
  routes: z.int().min(0),
});

/** The imported file of a model that was trained elsewhere. */
const importedFile = z.object({
  /** Name of the file. */
  file: z.string(),
  /** SHA-256 of the file before this metadata was added. */
  sha256: z.string(),
  /** Names of the features that the model uses. */
  inputs: z.array(z.string()).min(1),
});

/** Metadata of a model file, under the key `headwind`. */
export const modelMetadata = z.object({
  /** `featureContract()` of the code that trained the model. */
  contract: z.string(),
  /** Names of the features, in the order of the input. */
  features: z.array(z.string()).min(1),
  trainedOn: z.object({
    /** Months of history, `YYYY-MM`, ascending. */
    months: z.array(z.string()),
    rows: z.int().min(0),
    dataSha256: z.string(),
    /**
     * Coverage of the training rows. Older months are not among the rows; they influence the model only through the
     * effects. Absent in models trained before coverage was counted.
     */
    coverage: coverage.optional(),
  }),
  /** Absent in imported models. */
  seed: z.int().optional(),
  /** Version of the code that trained the model, or that checked it at its import. */
  codeVersion: z.string(),
  createdAt: z.string().optional(),
  /** Figures on months that the model has not seen. `/api/model` returns their values unchanged. */
  metrics: z.record(z.string(), z.json()),
  outlook: outlookShares,
  /** Absent in models that this code trained. */
  imported: importedFile.optional(),
});

export type OutlookShares = z.infer<typeof outlookShares>;
export type Coverage = z.infer<typeof coverage>;
export type ModelMetadata = z.infer<typeof modelMetadata>;

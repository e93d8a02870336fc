import { z } from 'zod';
import { distributionReliability } from './distribution-reliability.ts';
import { count, instant, openEnum, share } from './field.ts';
import { recordAccuracyBody } from './record-accuracy.ts';
import { coverageFields, outcomeFields, scoreReliabilityBody } from './score-reliability.ts';

const importedBody = z.strictObject({
  version: z.string().describe('Version of the imported model.'),
  file: z.string().describe('Name of the imported file.'),
  sha256: z.string().describe('SHA-256 of the imported file.'),
  inputs: z.array(z.string()).describe('Names of the features that the model uses.'),
  state: openEnum(['serving', 'fallback']).describe(
    '`serving`: the imported model answers. `fallback`: it failed in this process, and the model in `version` answers.',
  ),
  reason: z.string().nullable().describe('The last failure; null if the model never failed.'),
  since: instant.describe('Start of the state, ISO 8601 in UTC.'),
  failures: count('calls').describe('Failed calls of the model since the process started.'),
  fallback_answers: count('answers').describe(
    'Answers that the other model gave instead, since the process started.',
  ),
});

/** Response of `/api/model`. */
export const modelBody = z.strictObject({
  version: z.string().describe('First 12 characters of the SHA-256 of the model file.'),
  contract: z.string().describe('Digest of the ordered feature names.'),
  features: z
    .array(
      z.strictObject({
        name: z.string().describe('Name of the feature.'),
        unit: z.string().describe('Unit of the feature.'),
        what: z.string().describe('Meaning of the feature.'),
      }),
    )
    .describe('Inputs of the model, in order.'),
  trained_on: z
    .strictObject({
      months: z.array(z.string()).describe('Months of the training data, `YYYY-MM`.'),
      rows: count('rows').describe('Rows of the training data.'),
      data_sha256: z.string().describe('Digest of the training data.'),
      coverage: z
        .strictObject({
          first_month: z.string().describe('First month of the flights, `YYYY-MM`.'),
          last_month: z.string().describe('Last month of the flights, `YYYY-MM`.'),
          flights: outcomeFields.flights,
          ...coverageFields,
        })
        .nullable()
        .describe(
          'Single flights in the training data. Older months only influence the effects, which are inputs of the model.',
        ),
    })
    .describe('Training data.'),
  seed: z
    .int()
    .nullable()
    .describe('Seed of the random numbers in training; null for an imported model.'),
  code_version: z
    .string()
    .describe('Version of the code that trained the model, or evaluated it at its import.'),
  created_at: z.string().nullable().describe('Time of training; null if unknown.'),
  imported: importedBody
    .nullable()
    .describe(
      'A model trained elsewhere and imported; null if the published model was trained by this service.',
    ),
  metrics: z
    .record(z.string(), z.unknown())
    .describe(
      'Figures from training, measured on unseen months. Events in force change `ml_probability` after the model, so these figures do not include them.',
    ),
  score_reliability: scoreReliabilityBody
    .nullable()
    .describe(
      'Actual outcomes by score, on unseen months; null if the training of the model did not report them.',
    ),
  distribution_reliability: distributionReliability,
  outlook_shares: z
    .strictObject({
      under_15: share.describe(
        'Share less than 15 minutes late, among flights up to 30 minutes late.',
      ),
      from_15_to_30: share.describe(
        'Share 15 to 30 minutes late, among flights up to 30 minutes late.',
      ),
      from_30_to_60: share.describe(
        'Share up to 60 minutes late, among flights more than 30 minutes late.',
      ),
      from_60_to_120: share.describe(
        'Share over 60 and up to 120 minutes late, among flights more than 30 minutes late.',
      ),
      over_120: share.describe(
        'Share more than 120 minutes late, among flights more than 30 minutes late.',
      ),
    })
    .describe('Distribution of delays.'),
  providers: z
    .array(recordAccuracyBody)
    .describe(
      'Accuracy of the records of other providers, which the model does not score; one entry for each record in the store.',
    ),
});

export type ModelBody = z.infer<typeof modelBody>;

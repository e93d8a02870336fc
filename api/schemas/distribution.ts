import { z } from 'zod';
import { count, share } from './field.ts';

const band = {
  probability: share.describe('Probability; 4 decimals.'),
  low: share.describe('Lower end of the band.'),
  high: share.describe('Upper end of the band.'),
};

/** Field `distribution` of a score: probabilities of delays, with their uncertainty. */
export const distributionBody = z
  .strictObject({
    level: share.describe('Probability that a probability lies in its band.'),
    late: z
      .array(
        z.strictObject({
          minutes: count('minutes').describe('A delay on arrival.'),
          ...band,
        }),
      )
      .describe(
        'Probability of a longer delay than `minutes`, at 15 (inclusive), 30, 45, 60, 90, 120, 180 and 360 minutes. It never rises. Between two delays its logarithm is a straight line.',
      ),
    diverted: z.strictObject(band).describe('The flight is diverted.'),
    cancelled: z.strictObject(band).describe('The flight is cancelled.'),
  })
  .nullable()
  .describe(
    'Distribution of delays with a 90 % band. Present with `include=distribution`; null without a model.',
  );

export type DistributionBody = z.infer<typeof distributionBody>;

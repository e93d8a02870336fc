import { z } from 'zod';

/** The four labels, lowest risk first. */
export const label = z
  .enum(['Low', 'Moderate', 'High', 'Very High'])
  .describe(
    'The band of the points: `Low` to 30, `Moderate` to 55, `High` to 74, `Very High` above.',
  );

export type Label = z.infer<typeof label>;

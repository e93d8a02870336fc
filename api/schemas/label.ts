import { z } from 'zod';
import { LABELS, type RiskLabel } from '../../models/label.ts';

/** The four labels, lowest risk first. */
export const label = z
  .enum(LABELS)
  .describe(
    'The band of the points: `Low` to 30, `Moderate` to 55, `High` to 74, `Very High` above.',
  );

export type Label = RiskLabel;

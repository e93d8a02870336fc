import { z } from 'zod';
import { LABELS, type RiskLabel } from '../../models/label.ts';

/** The four labels, lowest risk first. */
export const label = z
  .enum(LABELS)
  .describe(
    'The band of the score: `Low` 0 to 30, `Moderate` 31 to 55, `High` 56 to 74, `Very High` 75 to 100.',
  );

export type Label = RiskLabel;

/** The six factors. */
export const componentKey = z
  .enum(['delay_rate', 'cancel_rate', 'congestion', 'weather', 'seasonality', 'event_risk'])
  .describe('One of the six factors.');

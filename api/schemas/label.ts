import { z } from 'zod';
import { BANDS, LABELS, type RiskLabel } from '../../models/label.ts';

const BAND_TEXTS = BANDS.map((band) => `\`${band.label}\` ${band.from} to ${band.to}`);

/** The four labels, lowest risk first. */
export const label = z.enum(LABELS).describe(`The band of the score: ${BAND_TEXTS.join(', ')}.`);

export type Label = RiskLabel;

/** The six factors. */
export const componentKey = z
  .enum(['delay_rate', 'cancel_rate', 'congestion', 'weather', 'seasonality', 'event_risk'])
  .describe('One of the six factors.');

import { LABELS, type RiskLabel } from '../../../models/label.ts';

/** Lowest score of each step of the colour scale. No step spans two bands. */
export const STEPS = [0, 11, 21, 31, 39, 48, 56, 65, 75, 88] as const;

/** Returns the step of the colour scale, 0 to 9, for a score from 0 to 100. */
export function riskStep(score: number): number {
  return STEPS.findLastIndex((from) => score >= from);
}

/** Returns the CSS class that fills a shape or box with the colour of the score. */
export function riskClass(score: number | null): string {
  return score === null ? 'risk-none' : `risk-${riskStep(score)}`;
}

/** Returns the number of strokes in a label's barb, 1 to 4. The barb shows the label without colour. */
export function strokesOf(label: RiskLabel): number {
  return LABELS.indexOf(label) + 1;
}

import { LABELS, type RiskLabel } from '../../../models/label.ts';

/** Lowest score of each step of the risk scale; no step lies in two bands. */
export const STEPS = [0, 11, 21, 31, 39, 48, 56, 65, 75, 88] as const;

/** The step of the one colour scale that a score of 0 to 100 has, 0 to 9. */
export function riskStep(score: number): number {
  return STEPS.findLastIndex((from) => score >= from);
}

/** Class of a shape or a box that is filled with the colour of the score. */
export function riskClass(score: number | null): string {
  return score === null ? 'risk-none' : `risk-${riskStep(score)}`;
}

/** How many strokes the barb of a label has, 1 to 4: the label is told by shape, too. */
export function strokesOf(label: RiskLabel): number {
  return LABELS.indexOf(label) + 1;
}

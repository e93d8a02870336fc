import type { RiskLabel } from './types.ts';

/** Label of a score or of 100 times a value: the bands of the specification, cut between whole points. */
export function riskLabel(score: number): RiskLabel {
  const points = Math.round(score);
  if (points <= 30) return 'Low';
  if (points <= 55) return 'Moderate';
  if (points <= 74) return 'High';
  return 'Very High';
}

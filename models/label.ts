/** The bands of the specification, lowest risk first. The ends of a band are whole points and belong to the band. */
export const BANDS = [
  { label: 'Low', from: 0, to: 30 },
  { label: 'Moderate', from: 31, to: 55 },
  { label: 'High', from: 56, to: 74 },
  { label: 'Very High', from: 75, to: 100 },
] as const;

export type RiskLabel = (typeof BANDS)[number]['label'];

/** The four labels, lowest risk first. */
export const LABELS: readonly RiskLabel[] = BANDS.map(({ label }) => label);

/** Returns the label of a score. Also accepts 100 times a component's value, which may exceed 100. */
export function riskLabel(score: number): RiskLabel {
  const points = Math.round(score);
  for (const { label, to } of BANDS) if (points <= to) return label;
  return 'Very High';
}

import { LABELS, type RiskLabel } from '../../../models/label.ts';
import type { Label } from '../../schemas/label.ts';
import { html } from './html.ts';

/** Lowest score of each colour. No colour covers parts of two bands. */
export const STEPS = [0, 11, 21, 31, 39, 48, 56, 65, 75, 88] as const;

/** Returns the number of the colour (0 to 9) for a score from 0 to 100. */
export function riskStep(score: number): number {
  return STEPS.findLastIndex((from) => score >= from);
}

/** Returns the CSS class that fills a shape or box with the colour of the score. */
export function riskClass(score: number | null): string {
  return score === null ? 'risk-none' : `risk-${riskStep(score)}`;
}

/** Returns the number of strokes in the barb of a label, 1 to 4. The barb shows the label without colour. */
function strokesOf(label: RiskLabel): number {
  return LABELS.indexOf(label) + 1;
}

/**
 * Draws a symbol like the wind barbs on weather charts, from one stroke for Low to three strokes and a flag for Very
 * High.
 */
export function barb(label: Label) {
  const strokes = strokesOf(label);
  const lines = Array.from({ length: Math.min(strokes, 3) }, (_, at) => 3 + at * 4);
  return html`<svg class="barb" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M4 20 L20 4" />
    ${lines.map((at) => html`<path d=${`M${21 - at} ${3 + at} l-6 -3`} />`)}
    ${strokes === 4 && html`<path class="flag" d="M20 4 l-7 -2 l4 5 z" />`}
    <circle cx="4" cy="20" r="2" />
  </svg>`;
}

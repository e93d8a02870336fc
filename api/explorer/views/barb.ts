import type { Label } from '../../schemas/label.ts';
import { html } from './html.ts';
import { strokesOf } from './risk.ts';

/**
 * Draws a wind barb, as on weather charts: one stroke for the label Low, up to three strokes and a flag for Very High.
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

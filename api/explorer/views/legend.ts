import { expit } from '../../../warehouse/ground/log-odds.ts';
import { BANDS } from '../../../models/label.ts';
import { pointLine } from '../../../models/points.ts';
import { percent } from './format.ts';
import { html } from './html.ts';
import { STEPS } from './risk.ts';

const [WIDTH, CELL, BAR] = [384, 36, 9];

/** Legend for shares of late or cancelled flights: the lowest share of each colour. */
export function shareLegend(locale: string) {
  const { zero, slope } = pointLine(undefined);
  const names = STEPS.map((from) =>
    // Scores are rounded, so a colour starts half a point below its score.
    from === 0 ? '' : percent(expit(zero + (from - 0.5) / slope), locale, 0),
  );
  return legend('Colours: share of flights late or cancelled', names);
}

/** Legend for scores: the lowest score of each colour, and the names of the bands. */
export function scoreLegend() {
  const names = STEPS.map((from) => (from === 0 ? '' : String(from)));
  const bands = BANDS.map(({ label, from, to }) => ({
    label,
    first: STEPS.findIndex((step) => step >= from),
    last: STEPS.findLastIndex((step) => step <= to),
  }));
  return legend('Colours: score', names, bands);
}

type BandSteps = { label: string; first: number; last: number };

function legend(title: string, names: readonly string[], bands: readonly BandSteps[] = []) {
  const height = bands.length === 0 ? 36 : 48;
  return html`<svg
    class="scale"
    viewBox=${`0 0 ${WIDTH} ${height}`}
    role="img"
    aria-label=${legendText(title, names, bands)}
  >
    <text class="tick" x="0" y="10">${title}</text>
    ${STEPS.map((_, step) => html`<rect class=${`risk-${step}`} x=${step * CELL} y="15" width=${CELL - 1} height=${BAR} />`)}
    ${names.map((name, step) => name !== '' && html`<text class="tick" x=${step * CELL} y="35" text-anchor="middle">${name}</text>`)}
    ${bands.map(
      ({ label, first, last }) =>
        html`<text class="band" x=${((first + last + 1) / 2) * CELL} y="47" text-anchor="middle">
          ${label}
        </text>`,
    )}
  </svg>`;
}

function legendText(title: string, names: readonly string[], bands: readonly BandSteps[]): string {
  const edges = names.filter(Boolean).join(', ');
  const labels = bands.map(({ label }) => label).join(', ');
  return `${title}. Ten colours from low to high change at ${edges}.${labels === '' ? '' : ` Bands: ${labels}.`}`;
}

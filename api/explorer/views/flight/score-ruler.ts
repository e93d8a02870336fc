import { scaleLinear } from 'd3-scale';
import { BANDS } from '../../../../models/label.ts';
import { html } from '../html.ts';
import { riskClass, STEPS } from '../risk.ts';
import type { FullScore } from './flight-data.ts';

const [WIDTH, HEIGHT] = [384, 52];

/** A scale from 0 to 100 that shows the bands, the score and its interval. */
export function scoreRuler({ score, interval, label }: FullScore) {
  const x = scaleLinear()
    .domain([0, 100])
    .range([6, WIDTH - 6]);
  const range = interval === null ? '' : `, interval from ${interval.low} to ${interval.high}`;
  return html`<svg
    class="ruler"
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    role="img"
    aria-label=${`${score} of 100, ${label}${range}`}
  >
    ${STEPS.map((from, at) => {
      const to = STEPS[at + 1] ?? 100;
      return html`<rect
        class=${riskClass(from)}
        x=${x(from)}
        y="20"
        width=${x(to) - x(from) - 0.7}
        height="10"
      />`;
    })}
    ${
      interval &&
      html`<path
        class="whisker"
        d=${`M${x(interval.low)} 11 v6 M${x(interval.low)} 14 H${x(interval.high)} M${x(interval.high)} 11 v6`}
      />`
    }
    <path class="pointer" d=${`M${x(score)} 18 l-5 -8 h10 z`} />
    ${BANDS.map(
      ({ label, from, to }) =>
        html`<text class="tick" x=${x((from + to) / 2)} y="45" text-anchor="middle"
          >${label}</text
        >`,
    )}
  </svg>`;
}

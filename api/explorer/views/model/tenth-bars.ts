import { scaleBand, scaleLinear } from 'd3-scale';
import type { ModelBody } from '../../../schemas/model.ts';
import { figure, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { percentRules } from '../percent-rules.ts';
import { picture } from '../picture.ts';
import { riskClass } from '../risk.ts';

const [WIDTH, HEIGHT, TOP, BOTTOM, LEFT] = [384, 210, 16, 40, 34];

/** The share of flights late or cancelled in each tenth of the scale. */
export function tenthBars(came: NonNullable<ModelBody['score_reliability']>, { locale }: Frame) {
  const { tenths } = came;
  const x = scaleBand<number>()
    .domain(tenths.map(({ from }) => from))
    .range([LEFT, WIDTH])
    .paddingInner(0.14);
  const y = scaleLinear()
    .domain([0, Math.max(0.4, ...tenths.map(({ disrupted }) => disrupted ?? 0))])
    .range([HEIGHT - BOTTOM, TOP]);
  const bars = tenths.map(({ from, to, flights, share, disrupted }) => {
    const left = x(from) ?? 0;
    const middle = left + x.bandwidth() / 2;
    return html`<g>
      <title>
        ${disrupted === null ? `${from} to ${to}: no flights` : `${from} to ${to}: ${percent(disrupted, locale)} of ${figure(flights, locale)} flights`}
      </title>
      ${
        disrupted !== null &&
        html`<rect
            class=${riskClass((from + to) / 2)}
            x=${left}
            y=${y(disrupted)}
            width=${x.bandwidth()}
            height=${y(0) - y(disrupted)}
            rx="1.5"
          />
          <text class="value" x=${middle} y=${y(disrupted) - 4} text-anchor="middle"
            >${Math.round(100 * disrupted)}</text
          >`
      }
      <text class="tick" x=${middle} y=${HEIGHT - BOTTOM + 14} text-anchor="middle">${from}</text>
      <text class="band" x=${middle} y=${HEIGHT - BOTTOM + 27} text-anchor="middle"
        >${percent(share, locale, share < 0.01 ? 1 : 0)}</text
      >
    </g>`;
  });
  return picture({
    id: 'tenths',
    title: 'Late or cancelled, by score',
    note: 'Flights in 100 that were more than 30 minutes late or cancelled, in each tenth of the scale. Below the bars: the lowest score of the tenth and its share of all flights.',
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Share late or cancelled by score; see the table for figures"
    >
      ${percentRules({ y, ticks: 4, left: LEFT, right: WIDTH }, locale)} ${bars}
      <line class="axis" x1=${LEFT} x2=${WIDTH} y1=${y(0)} y2=${y(0)} />
    </svg>`,
    table: () => ({
      columns: ['Score', 'Late or cancelled', 'Flights', 'Share of all'],
      rows: tenths.map(({ from, to, flights, share, disrupted }) => [
        `${from} to ${to}`,
        disrupted === null ? 'no flights' : percent(disrupted, locale),
        flights,
        percent(share, locale),
      ]),
    }),
  });
}

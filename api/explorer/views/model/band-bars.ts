import { scaleLinear } from 'd3-scale';
import { BANDS } from '../../../../models/label.ts';
import type { ModelBody } from '../../../schemas/model.ts';
import { flightCount, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { percentRules } from '../percent-rules.ts';
import { picture } from '../picture.ts';
import { riskClass } from '../risk.ts';

const [WIDTH, TOP, BOTTOM, LEFT, GAP] = [384, 16, 40, 34, 2];
const HEIGHT = 210;
/**
 * Height of the chart when it stands beside the reliability curve. The reliability curve has a legend, so it is higher
 * than other charts.
 */
export const HEIGHT_BESIDE_CURVE = 290;

type Bands = NonNullable<ModelBody['score_reliability']>['bands'];

/** The colour of a band is the colour of its middle score. */
const MIDDLES = new Map(BANDS.map(({ label, from, to }) => [label, (from + to) / 2]));

type BandBars = { id: string; title: string; note: string; bands: Bands; height?: number };

/**
 * Draws a bar for each band. The width is the band's share of all flights. The height is the share of late or cancelled
 * flights in the band.
 */
export function bandBars({ id, title, note, bands, height = HEIGHT }: BandBars, { locale }: Frame) {
  const x = scaleLinear().domain([0, 1]).range([LEFT, WIDTH]);
  const y = scaleLinear()
    .domain([0, Math.max(0.4, ...bands.map(({ disrupted }) => disrupted ?? 0))])
    .range([height - BOTTOM, TOP]);
  let from = 0;
  const bars = bands.map(({ label, share, disrupted, flights }, at) => {
    const [left, right] = [x(from), x(from + share)];
    from += share;
    const middle = (left + right) / 2;
    // The label of a narrow bar is moved to a place with space.
    const isNarrow = right - left < 44;
    return html`<g>
      <title>
        ${disrupted === null ? `${label}: no flights` : `${label}: ${percent(disrupted, locale)} of ${flightCount(flights, locale)}`}
      </title>
      ${
        disrupted !== null &&
        html`<rect
            class=${riskClass(MIDDLES.get(label) ?? 0)}
            x=${left}
            y=${y(disrupted)}
            width=${Math.max(1, right - left - GAP)}
            height=${y(0) - y(disrupted)}
            rx="1.5"
          />
          <text
            class="value"
            x=${isNarrow ? right : middle}
            y=${y(disrupted) - 4}
            text-anchor=${isNarrow ? 'end' : 'middle'}
            >${Math.round(100 * disrupted)}</text
          >`
      }
      <text
        class="tick"
        x=${isNarrow && at > 0 ? right : middle}
        y=${height - BOTTOM + (isNarrow ? 29 : 15)}
        text-anchor=${isNarrow && at > 0 ? 'end' : 'middle'}
      >
        ${`${label} ${percent(share, locale, share < 0.1 ? 1 : 0)}`}
      </text>
    </g>`;
  });
  return picture({
    id,
    title,
    note,
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label="Share late or cancelled by band; see the table for figures"
    >
      ${percentRules({ y, ticks: 4, left: LEFT, right: WIDTH }, locale)} ${bars}
      <line class="axis" x1=${LEFT} x2=${WIDTH} y1=${y(0)} y2=${y(0)} />
    </svg>`,
    table: () => ({
      columns: ['Band', 'Late or cancelled', 'Flights', 'Share of all'],
      rows: bands.map(({ label, flights, share, disrupted }) => [
        label,
        disrupted === null ? 'no flights' : percent(disrupted, locale),
        flights,
        percent(share, locale),
      ]),
    }),
  });
}

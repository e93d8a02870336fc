import { scaleBand, scaleLinear } from 'd3-scale';
import { flightCount, percent } from '../format.ts';
import { html } from '../html.ts';
import { shareLegend } from '../legend.ts';
import type { Frame } from '../page.ts';
import { percentRules } from '../percent-rules.ts';
import { picture } from '../picture.ts';
import { riskClass } from '../risk.ts';
import type { FlightCounts } from './places-data.ts';
import { scoreOfShare, MIN_FLIGHTS, disruptedShare, wilsonInterval } from './shares.ts';

const [WIDTH, HEIGHT, TOP, BOTTOM, LEFT] = [384, 252, 14, 24, 34];

export type CountBars = {
  id: string;
  title: string;
  note: string;
  slots: { name: string; full: string; counted: FlightCounts | null }[];
  /** Distance between two labels, in bars. With 3, every third bar has a label. */
  every: number;
};

/**
 * A bar chart of the record, with one bar per hour or month. A bar shows the share of late or cancelled flights; a line
 * shows the 90% interval. Returns undefined if no hour or month has flights.
 */
export function countBars({ id, title, note, slots, every }: CountBars, { locale }: Frame) {
  const bySlot = slots.map((slot) => ({ ...slot, ...figuresOf(slot.counted) }));
  if (bySlot.every(({ flights }) => flights === 0)) return undefined;
  // Only bars with enough flights determine the scale. Otherwise, a bar of a single late flight could make all other
  // bars tiny. Bars of few flights may therefore be cut off at the end of the scale.
  const frequent = bySlot.filter(({ flights }) => flights >= MIN_FLIGHTS);
  const heights =
    frequent.length > 0 ? frequent.map(({ high }) => high) : bySlot.map(({ share }) => share);
  const highest = Math.max(0.2, ...heights);
  const x = scaleBand<number>()
    .domain(bySlot.map((_, at) => at))
    .range([LEFT, WIDTH])
    .paddingInner(0.2);
  const y = scaleLinear()
    .domain([0, highest])
    .range([HEIGHT - BOTTOM, TOP])
    .clamp(true);
  const bars = bySlot.map(({ full, name, share, low, high, flights }, at) => {
    const left = x(at) ?? 0;
    const middle = left + x.bandwidth() / 2;
    return html`<g>
      <title>
        ${`${full}: ${flights === 0 ? 'no flights' : `${percent(share, locale)} of ${flightCount(flights, locale)}`}`}
      </title>
      ${
        flights > 0 &&
        html`<rect
            class=${`${riskClass(scoreOfShare(share))} ${flights < MIN_FLIGHTS ? 'hollow' : ''}`}
            x=${left}
            y=${y(share)}
            width=${x.bandwidth()}
            height=${y(0) - y(share)}
            rx="1.5"
          />
          ${
            // With fewer flights, the interval would not fit into the picture.
            flights >= MIN_FLIGHTS &&
            html`<line class="whisker" x1=${middle} x2=${middle} y1=${y(low)} y2=${y(high)} />`
          }`
      }
      ${at % every === 0 && html`<text class="tick" x=${middle} y=${HEIGHT - 6} text-anchor="middle">${name}</text>`}
    </g>`;
  });
  const drawing = html`<svg
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    role="img"
    aria-label=${`${title}; see the table for figures`}
  >
    ${percentRules({ y, ticks: 4, left: LEFT, right: WIDTH }, locale)} ${bars}
    <line class="axis" x1=${LEFT} x2=${WIDTH} y1=${y(0)} y2=${y(0)} />
  </svg>`;
  return picture({
    id,
    title,
    note,
    drawing,
    legend: shareLegend(locale),
    table: () => ({
      columns: ['When', 'Late or cancelled', 'Flights', 'Late', 'Cancelled'],
      rows: bySlot
        .filter(({ flights }) => flights > 0)
        .map(({ full, share, flights, counted }) => [
          full,
          percent(share, locale),
          flights,
          counted?.late ?? 0,
          counted?.cancelled ?? 0,
        ]),
    }),
  });
}

/** Computes the share of late or cancelled flights and its 90% interval. */
function figuresOf(counted: FlightCounts | null) {
  const flights = counted ? counted.flights + counted.cancelled : 0;
  if (!counted || flights === 0) return { flights: 0, share: 0, low: 0, high: 0 };
  const share = disruptedShare(counted);
  return { flights, share, ...wilsonInterval(share, flights) };
}

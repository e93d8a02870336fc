import { scaleBand, scaleLinear } from 'd3-scale';
import { flightCount, month as monthText, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { percentRules } from '../percent-rules.ts';
import { picture } from '../picture.ts';
import type { RecentMonthBody } from './places-data.ts';

const [WIDTH, HEIGHT, TOP, BOTTOM, LEFT] = [384, 252, 14, 26, 34];

/** A bar chart of the newest months: shares of late flights, and of cancelled or diverted flights. */
export function recentBars(
  months: readonly RecentMonthBody[],
  flightsName: string,
  { locale }: Frame,
) {
  if (months.length === 0) return undefined;
  const shares = months.map((one) => ({ ...one, ...sharesOf(one) }));
  const x = scaleBand()
    .domain(shares.map(({ month }) => month))
    .range([LEFT, WIDTH])
    .paddingInner(0.22);
  const y = scaleLinear()
    .domain([0, Math.max(0.3, ...shares.map(({ late, off }) => late + off))])
    .range([HEIGHT - BOTTOM, TOP]);
  const bars = shares.map(({ month, flights, late, off }) => {
    const left = x(month) ?? 0;
    const width = x.bandwidth();
    return html`<g>
      <title>
        ${`${monthText(month, locale)}: ${percent(late, locale)} late, ${percent(off, locale)} cancelled or diverted, of ${flightCount(flights, locale)}`}
      </title>
      <rect class="late15" x=${left} y=${y(late)} width=${width} height=${y(0) - y(late)} />
      <rect
        class="off"
        x=${left}
        y=${y(late + off)}
        width=${width}
        height=${y(late) - y(late + off)}
      />
    </g>`;
  });
  const [first, last] = [shares[0], shares.at(-1)];
  const drawing = html`<svg
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    role="img"
    aria-label="Share of flights late by month; see the table for figures"
  >
    ${percentRules({ y, ticks: 3, left: LEFT, right: WIDTH }, locale)} ${bars}
    <line class="axis" x1=${LEFT} x2=${WIDTH} y1=${y(0)} y2=${y(0)} />
    <text class="tick" x=${LEFT} y=${HEIGHT - 8}>
      ${first ? monthText(first.month, locale, 'short') : ''}
    </text>
    <text class="tick" x=${WIDTH} y=${HEIGHT - 8} text-anchor="end">
      ${last ? monthText(last.month, locale, 'short') : ''}
    </text>
  </svg>`;
  return picture({
    id: 'lately',
    title: 'Recent months',
    note: `Lower part of a bar: share of ${flightsName} that were at least 15 minutes late (elsewhere, late means more than 30 minutes). Upper part: cancelled or diverted.`,
    drawing,
    table: () => ({
      columns: ['Month', '15 min late or more', 'Cancelled or diverted', 'Flights'],
      rows: shares.map(({ month, flights, late, off }) => [
        monthText(month, locale),
        percent(late, locale),
        percent(off, locale),
        flights,
      ]),
    }),
  });
}

function sharesOf({ flights, late15, cancelled, diverted }: RecentMonthBody) {
  const all = Math.max(1, flights);
  return { late: late15 / all, off: (cancelled + diverted) / all };
}

import { scaleBand, scaleLinear, type ScaleBand, type ScaleLinear } from 'd3-scale';
import { HOURS } from '../../../../warehouse/ground/hours.ts';
import { hour as hourText } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { airportAddress } from '../places/addresses.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass } from '../risk.ts';
import type { HourShares, MapData } from './map-data.ts';
import { shareText } from './share-text.ts';

const [WIDTH, COLUMNS, HEIGHT, NAME, GAP] = [384, 4, 62, 14, 10];
const SHOWN = 12;

/** The day of each of the busiest airports, side by side on one scale. */
export function smallMultiples(data: MapData, hour: number, { locale }: Frame) {
  const shown = data.airports.slice(0, SHOWN);
  const wide = (WIDTH - (COLUMNS - 1) * GAP) / COLUMNS;
  const x = scaleBand<number>().domain(HOURS).range([0, wide]).paddingInner(0.1);
  const highest = Math.max(200, ...shown.flatMap(({ hours }) => hours.map((share) => share ?? 0)));
  const y = scaleLinear()
    .domain([0, highest])
    .range([HEIGHT, NAME + 2]);
  const rows = Math.ceil(shown.length / COLUMNS);
  const panels = shown.map(({ iata, city, hours }, at) => {
    const [left, top] = [(at % COLUMNS) * (wide + GAP), Math.floor(at / COLUMNS) * (HEIGHT + GAP)];
    const what = `${city} ${iata}: at ${hourText(hour, locale)} ${shareText(hours[hour] ?? null, locale)}`;
    return html`<a href=${airportAddress(iata)} transform=${`translate(${left} ${top})`}>
      <title>${what}</title>
      <rect class="reach" width=${wide} height=${HEIGHT} />
      <text class="tick" y="10">${iata}</text>
      ${barsOf(hours, { x, y })} ${markOf(hours[hour] ?? null, x(hour) ?? 0, { x, y })}
      <line class="axis" x2=${wide} y1=${HEIGHT} y2=${HEIGHT} />
    </a>`;
  });
  return picture({
    id: 'airports',
    title: 'The day at the busiest airports',
    note: 'Each from midnight to midnight of its own clock, all on one scale. Choose one to see its page.',
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${rows * (HEIGHT + GAP)}`}
      role="group"
      aria-label="Risk by hour at the busiest airports"
    >
      ${panels}
    </svg>`,
    table: () => ({
      columns: ['Airport', 'Code', ...HOURS.map((one) => hourText(one, locale))],
      rows: shown.map(({ iata, city, hours }) => [
        city,
        iata,
        ...hours.map((share) => shareText(share, locale)),
      ]),
    }),
  });
}

type Scales = { x: ScaleBand<number>; y: ScaleLinear<number, number> };

/** The bars of a panel, those of one colour as one shape. */
function barsOf(hours: HourShares, { x, y }: Scales) {
  const shapes = new Map<string, string>();
  for (const [hour, share] of hours.entries()) {
    if (share === null) continue;
    const colour = riskClass(scoreOfShare(share / 1000));
    shapes.set(colour, `${shapes.get(colour) ?? ''}${boxOf(share, x(hour) ?? 0, { x, y })}`);
  }
  return [...shapes].map(([colour, shape]) => html`<path class=${colour} d=${shape} />`);
}

/** A line about the bar of the hour that is shown. */
function markOf(share: number | null, left: number, scales: Scales) {
  return share !== null && html`<path class="own frame" d=${boxOf(share, left, scales)} />`;
}

function boxOf(share: number, left: number, { x, y }: Scales): string {
  const [wide, top] = [x.bandwidth().toFixed(2), y(share).toFixed(2)];
  return `M${left.toFixed(2)} ${top}h${wide}V${HEIGHT}h-${wide}z`;
}

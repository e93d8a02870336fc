import { scaleBand, scaleLinear, type ScaleBand, type ScaleLinear } from 'd3-scale';
import { hour as hourText, shareText } from '../format.ts';
import { html } from '../html.ts';
import { shareLegend } from '../legend.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { airportAddress } from '../places/addresses.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass } from '../risk.ts';
import type { HourShares, MapData } from './map-data.ts';
import { HOURS } from '../../../../warehouse/ground/hours.ts';

const [WIDTH, COLUMNS, HEIGHT, NAME, GAP] = [384, 4, 62, 14, 10];
const MAX_AIRPORTS = 12;

/** Small bar charts of the hours of the day, one for each of the busiest airports. All charts have the same scale. */
export function smallMultiples(data: MapData, hour: number, { locale }: Frame) {
  const shown = data.airports.slice(0, MAX_AIRPORTS);
  const panelWidth = (WIDTH - (COLUMNS - 1) * GAP) / COLUMNS;
  const x = scaleBand<number>().domain(HOURS).range([0, panelWidth]).paddingInner(0.1);
  const highest = Math.max(200, ...shown.flatMap(({ hours }) => hours.map((share) => share ?? 0)));
  const y = scaleLinear()
    .domain([0, highest])
    .range([HEIGHT, NAME + 2]);
  const rows = Math.ceil(shown.length / COLUMNS);
  const panels = shown.map(({ iata, city, hours }, at) => {
    const [left, top] = [
      (at % COLUMNS) * (panelWidth + GAP),
      Math.floor(at / COLUMNS) * (HEIGHT + GAP),
    ];
    const tooltip = `${city} ${iata}: at ${hourText(hour, locale)} ${shareText(hours[hour] ?? null, locale)}`;
    return html`<a href=${airportAddress(iata)} transform=${`translate(${left} ${top})`}>
      <title>${tooltip}</title>
      <rect class="reach" width=${panelWidth} height=${HEIGHT} />
      <text class="tick" y="10">${iata}</text>
      ${panelBars(hours, { x, y })} ${hourFrame(hours[hour] ?? null, x(hour) ?? 0, { x, y })}
      <line class="axis" x2=${panelWidth} y1=${HEIGHT} y2=${HEIGHT} />
    </a>`;
  });
  return picture({
    id: 'airports',
    title: 'Hours at the busiest airports',
    note: 'Risk from midnight to midnight, local time. All charts have the same scale. Choose an airport to see its page.',
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${rows * (HEIGHT + GAP)}`}
      role="group"
      aria-label="Risk by hour at the busiest airports"
    >
      ${panels}
    </svg>`,
    legend: shareLegend(locale),
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

/** Returns the bars of one chart. Bars of one colour form one shape. */
function panelBars(hours: HourShares, { x, y }: Scales) {
  const shapes = new Map<string, string>();
  for (const [hour, share] of hours.entries()) {
    if (share === null) continue;
    const colour = riskClass(scoreOfShare(share / 1000));
    shapes.set(colour, `${shapes.get(colour) ?? ''}${barPath(share, x(hour) ?? 0, { x, y })}`);
  }
  return [...shapes].map(([colour, shape]) => html`<path class=${colour} d=${shape} />`);
}

/** Draws a frame around the bar of the selected hour. */
function hourFrame(share: number | null, left: number, scales: Scales) {
  return share !== null && html`<path class="own frame" d=${barPath(share, left, scales)} />`;
}

function barPath(share: number, left: number, { x, y }: Scales): string {
  const [wide, top] = [x.bandwidth().toFixed(2), y(share).toFixed(2)];
  return `M${left.toFixed(2)} ${top}h${wide}V${HEIGHT}h-${wide}z`;
}

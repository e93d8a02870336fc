import { scaleBand, scaleLinear } from 'd3-scale';
import { hour as hourText } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { airportAddress } from '../places/addresses.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass } from '../risk.ts';
import type { MapData } from './map-data.ts';
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
      ${hours.map((share, one) =>
        share === null
          ? undefined
          : html`<rect
              class=${`${riskClass(scoreOfShare(share / 1000))} ${one === hour ? 'own' : ''}`}
              x=${x(one)}
              y=${y(share)}
              width=${x.bandwidth()}
              height=${y(0) - y(share)}
            />`,
      )}
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
    table: {
      columns: ['Airport', 'Code', ...HOURS.map((one) => hourText(one, locale))],
      rows: shown.map(({ iata, city, hours }) => [
        city,
        iata,
        ...hours.map((share) => shareText(share, locale)),
      ]),
    },
  });
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

import { scaleLinear } from 'd3-scale';
import type { ItineraryBody } from '../../../schemas/itinerary.ts';
import { chanceText } from '../chance-lines.ts';
import { percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { tableHead, headedRow } from '../figures-table.ts';
import { picture } from '../picture.ts';

/**
 * Heights of the chart's head and rows. They match the table beside the chart: each table row is level with its bar.
 * See `.beside` in `pictures.css`.
 */
const [HEAD, ROW] = [18, 28];
const [WIDTH, NAMES, BAR] = [384, 148, 15];

/**
 * A bar chart of the delay at arrival. Each bar shows the probability of arriving more than a certain number of minutes
 * late.
 */
export function arrivalBars(
  { late, not_arriving }: NonNullable<ItineraryBody['outcome']>,
  { locale }: Frame,
) {
  const rows = [
    ...late.map(({ minutes, probability }) => ({ name: delayName(minutes), probability })),
    { name: 'No arrival that day', probability: not_arriving },
  ];
  const x = scaleLinear()
    .domain([0, Math.max(0.1, ...rows.map(({ probability }) => probability))])
    .range([NAMES, WIDTH - 44]);
  const drawing = html`<svg
    viewBox=${`0 0 ${WIDTH} ${HEAD + rows.length * ROW}`}
    role="img"
    aria-label="Probability of arriving later; see the table for figures"
  >
    ${rows.map(({ name, probability }, at) => {
      const y = HEAD + at * ROW + (ROW - BAR) / 2;
      return html`<g>
        <text class="name" x="0" y=${y + BAR - 3}>${name}</text>
        <rect class="up" x=${NAMES} y=${y} width=${x(probability) - NAMES} height=${BAR} rx="1.5" />
        <text class="value" x=${x(probability) + 5} y=${y + BAR - 3}>
          ${chanceText(probability, locale)}
        </text>
      </g>`;
    })}
  </svg>`;
  const title = 'Delay at the end of the trip';
  const table = {
    columns: ['Later than', 'Share of trips'],
    rows: rows.map(({ name, probability }) => [name, percent(probability, locale)]),
  };
  return picture({
    id: 'arrival',
    title,
    note: 'Share of trips that arrive later than scheduled, including trips that take the next flight after a missed connection.',
    drawing,
    sideContent: html`<table>
      ${tableHead(title, table.columns)}
      <tbody>
        ${table.rows.map(headedRow)}
      </tbody>
    </table>`,
    table: () => table,
  });
}

/** Formats `more than 2 h`. For 15 minutes, formats `15 min or more`. */
function delayName(minutes: number): string {
  const text = minutes < 90 ? `${minutes} min` : `${minutes / 60} h`;
  return minutes === 15 ? `${text} or more` : `more than ${text}`;
}

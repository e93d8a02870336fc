import { scaleLinear } from 'd3-scale';
import { month } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { partnersNote, withPartners } from '../partners.ts';
import { picture } from '../picture.ts';
import { riskClass } from '../risk.ts';
import { flightAddress } from './address.ts';
import { flightOf } from './better.ts';
import type { FlightData, Rival } from './flight-data.ts';

const [WIDTH, NAMES, BAR] = [384, 148, 15];
/** Few rows are spread, as the months beside them are high. */
const [LEAST_ROW, MOST_ROW, SPREAD] = [25, 44, 250];
/** Beyond, names are cut; the table has them whole. */
const NAME_LENGTH = 20;

/** The same flight with each airline of the route; each bar leads to it. */
export function rivalBars(data: FlightData, { locale }: Frame) {
  const { rivals } = data;
  if (rivals.length === 0) return undefined;
  const flight = flightOf(data);
  const rowHeight = Math.max(LEAST_ROW, Math.min(MOST_ROW, SPREAD / rivals.length));
  const x = scaleLinear()
    .domain([0, 100])
    .range([NAMES, WIDTH - 24]);
  const rows = rivals.map(({ airline, airline_name, score, label }, at) => {
    const y = at * rowHeight + 4;
    const what = `${withPartners(airline_name, airline)}: ${score}, ${label}`;
    const isOwn = airline === flight.airline;
    return html`<a
      href=${flightAddress({ ...flight, airline })}
      aria-current=${isOwn ? 'true' : undefined}
    >
      <title>${what}</title>
      <rect class="reach" x="0" y=${y - 4} width=${WIDTH} height=${rowHeight} />
      <text aria-hidden="true" class=${`name ${isOwn ? 'total' : ''}`} x="0" y=${y + BAR - 3}
        >${shortened(airline_name)}</text
      >
      <rect
        class=${riskClass(score)}
        x=${x(0)}
        y=${y}
        width=${x(score) - x(0)}
        height=${BAR}
        rx="1.5"
      />
      <text aria-hidden="true" class="value" x=${x(score) + 5} y=${y + BAR - 3}>${score}</text>
    </a>`;
  });
  return picture({
    id: 'airlines',
    title: 'The airlines of the route',
    note: `The same day and hour with each of them. Choose one to see that flight.${soldText(rivals)}${leftText(rivals, locale)}`,
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${rivals.length * rowHeight + 4}`}
      role="group"
      aria-label="Score by airline"
    >
      ${rows}
    </svg>`,
    table: () => ({
      columns: ['Airline', 'Code', 'Score', 'Label', 'Flights on record', 'On record to'],
      rows: rivals.map(({ airline, airline_name, score, label, total_flights, record }) => [
        airline_name,
        airline,
        score,
        label,
        total_flights,
        record ? month(record.last, locale, 'short') : 'not known',
      ]),
    }),
  });
}

function soldText(rivals: Rival[]): string {
  return partnersNote(
    rivals.map(({ airline, airline_name }) => ({ code: airline, name: airline_name })),
  );
}

/** Names those that have probably left the route. */
function leftText(rivals: Rival[], locale: string): string {
  const left = rivals.flatMap(({ airline_name, record, is_current }) =>
    record && !is_current ? [`${airline_name} (last ${month(record.last, locale, 'short')})`] : [],
  );
  return left.length === 0
    ? ''
    : ` No flights in the newest year of the record: ${left.join(', ')}.`;
}

function shortened(name: string): string {
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;
}

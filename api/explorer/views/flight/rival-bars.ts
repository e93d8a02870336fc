import { scaleLinear } from 'd3-scale';
import { month } from '../format.ts';
import { html } from '../html.ts';
import { scoreLegend } from '../legend.ts';
import type { Frame } from '../page.ts';
import { INFERRED_SIGN, inferredNote } from '../inferred.ts';
import { operatedBy } from '../operators.ts';
import { picture } from '../picture.ts';
import { riskClass } from '../risk.ts';
import { flightAddress } from './address.ts';
import { type FlightData, type Rival, flightOf } from './flight-data.ts';

const [WIDTH, NAMES, BAR] = [384, 148, 15];
/** Heights of rows. Few rows are spread to the height of the calendars beside them. */
const [MIN_ROW, MAX_ROW, TARGET_HEIGHT] = [25, 44, 250];
/** Maximum length of a name in the chart. The table has the full names. */
const NAME_LENGTH = 20;

/**
 * A bar chart of the same flight with each airline on the route. Each bar links to that flight. The flight's own
 * airline is always included.
 */
export function rivalBars(data: FlightData, { locale }: Frame) {
  const flight = flightOf(data);
  const rivals = data.rivals.filter(
    ({ airline, is_current }) => is_current || airline === flight.airline,
  );
  if (rivals.length === 0) return undefined;
  const rowHeight = Math.max(MIN_ROW, Math.min(MAX_ROW, TARGET_HEIGHT / rivals.length));
  const x = scaleLinear()
    .domain([0, 100])
    .range([NAMES, WIDTH - 24]);
  const rows = rivals.map((rival, at) => {
    const { airline, airline_name, score, label, inferred } = rival;
    const y = at * rowHeight + 4;
    const operated = operatedBy(rival, locale);
    const tooltip = `${airline_name}: ${score}, ${label}${operated && `, ${operated}`}`;
    const isOwn = airline === flight.airline;
    return html`<a
      href=${flightAddress({ ...flight, airline })}
      aria-current=${isOwn ? 'true' : undefined}
    >
      <title>${tooltip}</title>
      <rect class="reach" x="0" y=${y - 4} width=${WIDTH} height=${rowHeight} />
      <text aria-hidden="true" class=${`name ${isOwn ? 'total' : ''}`} x="0" y=${y + BAR - 3}
        >${truncate(airline_name)}${inferred && ` ${INFERRED_SIGN}`}</text
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
    title: 'Airlines on this route',
    note: `Scores for the same day and hour. Choose an airline to see that flight.${inactiveText(data.rivals, locale)}${inferredNote(rivals)}`,
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${rivals.length * rowHeight + 4}`}
      role="group"
      aria-label="Score by airline"
    >
      ${rows}
    </svg>`,
    legend: scoreLegend(),
    table: () => ({
      columns: [
        'Airline',
        'Code',
        'Score',
        'Label',
        'Flights on record',
        'On record until',
        'Operators',
      ],
      rows: rivals.map(
        ({ airline, airline_name, score, label, total_flights, record, operators }) => [
          airline_name,
          airline,
          score,
          label,
          total_flights,
          record ? month(record.last, locale, 'short') : 'unknown',
          operatedBy({ airline, operators }, locale) || 'itself',
        ],
      ),
    }),
  });
}

/** Names the airlines that have probably left the route. */
function inactiveText(rivals: Rival[], locale: string): string {
  const inactive = rivals.flatMap(({ airline_name, record, is_current }) =>
    record && !is_current
      ? [`${airline_name} (last flight ${month(record.last, locale, 'short')})`]
      : [],
  );
  return inactive.length === 0
    ? ''
    : ` Airlines without flights in the latest year on record: ${inactive.join(', ')}.`;
}

function truncate(name: string): string {
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;
}

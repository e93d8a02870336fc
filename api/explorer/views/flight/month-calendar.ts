import type { CalendarBody } from '../../../schemas/calendar.ts';
import { day as dayText, firstWeekday, month as monthText, weekdayName } from '../format.ts';
import { html } from '../html.ts';
import { scoreLegend } from '../legend.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { riskClass } from '../risk.ts';
import { flightAddress, type Flight } from './address.ts';
import { type FlightData, flightOf } from './flight-data.ts';

const [CELL_WIDTH, CELL_HEIGHT, GAP, HEAD] = [38, 36, 3, 18];

/** A calendar of scores. Each day links to the flight on that day. */
export function monthCalendar(data: FlightData, body: CalendarBody, { locale }: Frame) {
  const flight = flightOf(data);
  const startsOn = firstWeekday(locale);
  const offset = ((body.days[0]?.weekday ?? 1) - 1 - startsOn + 7) % 7;
  const rows = Math.ceil((offset + body.days.length) / 7);
  const [width, height] = [7 * (CELL_WIDTH + GAP) - GAP, HEAD + rows * (CELL_HEIGHT + GAP)];
  const title = monthText(body.month, locale);

  const cells = body.days.map((day, at) => {
    const place = offset + at;
    const x = (place % 7) * (CELL_WIDTH + GAP);
    const y = HEAD + Math.floor(place / 7) * (CELL_HEIGHT + GAP);
    return dayCell(day, { x, y }, { flight, today: data.today, locale });
  });
  const drawing = html`<svg
    viewBox=${`-1.5 0 ${width + 3} ${height}`}
    role="group"
    aria-label=${`Scores of ${title}`}
  >
    ${Array.from(
      { length: 7 },
      (_, at) =>
        html`<text
          class="tick"
          x=${at * (CELL_WIDTH + GAP) + CELL_WIDTH / 2}
          y="11"
          text-anchor="middle"
        >
          ${weekdayName(startsOn + at, locale).name}
        </text>`,
    )}
    ${cells}
  </svg>`;
  return picture({
    id: `month-${body.month}`,
    title,
    note: 'Choose a day to see the flight of that day.',
    drawing,
    legend: scoreLegend(),
    table: () => ({
      columns: ['Day', 'Score', 'Label'],
      rows: body.days.map(({ date, score, label, holiday }) => [
        nameOf({ date, holiday }, locale),
        score ?? 'not available',
        label ?? '',
      ]),
    }),
  });
}

type Day = CalendarBody['days'][number];

/** Returns the date, with the name of a nearby holiday. */
function nameOf({ date, holiday }: Pick<Day, 'date' | 'holiday'>, locale: string): string {
  return holiday === null ? dayText(date, locale) : `${dayText(date, locale)}, ${holiday.name}`;
}

/** A day with its score. Past days and days too far ahead have no link. */
function dayCell(
  { date, score, label, holiday }: Day,
  { x, y }: { x: number; y: number },
  { flight, today, locale }: { flight: Flight; today: string; locale: string },
) {
  const isOwn = date === flight.date;
  const shownScore = date < today ? null : score;
  const box = html`<rect
      class=${`${riskClass(shownScore)} ${isOwn ? 'own' : ''}`}
      x=${x}
      y=${y}
      width=${CELL_WIDTH}
      height=${CELL_HEIGHT}
      rx="3"
    />
    <text aria-hidden="true" class=${`day ${onClass(shownScore)}`} x=${x + 4} y=${y + 11}
      >${Number(date.slice(8))}</text
    >
    ${
      shownScore !== null &&
      html`<text
        aria-hidden="true"
        class=${`points ${onClass(shownScore)}`}
        x=${x + CELL_WIDTH / 2}
        y=${y + 28}
        text-anchor="middle"
      >
        ${shownScore}
      </text>`
    }`;
  if (shownScore === null) return html`<g>${box}</g>`;
  const tooltip = `${nameOf({ date, holiday }, locale)}: ${shownScore}, ${label}`;
  return html`<a
    href=${flightAddress({ ...flight, date })}
    aria-current=${isOwn ? 'date' : undefined}
  >
    <title>${tooltip}</title>
    ${box}
  </a>`;
}

/** Returns the CSS class for text that stands on the colour of the score. */
function onClass(score: number | null): string {
  return `on-${riskClass(score)}`;
}

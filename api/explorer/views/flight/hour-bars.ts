import { scaleBand, scaleLinear, type ScaleBand, type ScaleLinear } from 'd3-scale';
import { BANDS } from '../../../../models/label.ts';
import { HOURS, hourOfTime, hourToTime } from '../../../../warehouse/ground/hours.ts';
import { hour as hourText, percent } from '../format.ts';
import { html } from '../html.ts';
import { scoreLegend } from '../legend.ts';
import { picture } from '../picture.ts';
import type { Frame } from '../page.ts';
import { riskClass } from '../risk.ts';
import { flightAddress } from './address.ts';
import { type FlightData, flightOf } from './flight-data.ts';

const [WIDTH, HEIGHT, TOP, BOTTOM] = [384, 200, 16, 24];
/** Space for the names of the bands, on the right. */
const RIGHT = 70;
/** The scale ends at this score or higher. On a shorter scale, a low score would look high. */
const MIN_SCALE_TOP = 60;
/** Minimum share of the airline's flights. In an hour with a smaller share, the airline hardly ever departs. */
const MIN_SHARE = 0.001;

/** A bar chart of the score at each departure hour. Each bar links to the flight at that hour. */
export function hourBars(data: FlightData, { locale }: Frame) {
  const { score, hours } = data;
  const flight = flightOf(data);
  const x = scaleBand<number>()
    .domain(HOURS)
    .range([0, WIDTH - RIGHT])
    .paddingInner(0.16);
  const highest = Math.max(...score.by_hour.map(({ score: points }) => points));
  const y = scaleLinear()
    .domain([0, Math.min(100, Math.max(MIN_SCALE_TOP, 1.1 * highest))])
    .range([HEIGHT - BOTTOM, TOP]);
  const ownHour = flight.depTime === undefined ? undefined : hourOfTime(flight.depTime);
  const hasFlights = (hour: number) => hours === null || (hours[hour] ?? 0) >= MIN_SHARE;
  const flownHours = score.by_hour.filter(({ hour }) => hasFlights(hour));
  const [lowest] = flownHours.toSorted((a, b) => a.score - b.score);
  const [most] = flownHours.toSorted((a, b) => b.score - a.score);
  const labelledHours = dropNeighbours([ownHour, lowest?.hour, most?.hour]);

  const bars = score.by_hour.map(({ hour, score: points, label }) => {
    const [left, top] = [x(hour) ?? 0, y(points)];
    const tooltip = `${hourText(hour, locale)}: ${points}, ${label}${hasFlights(hour) ? '' : ', no departures on record'}`;
    return html`<a
      href=${flightAddress({ ...flight, depTime: hourToTime(hour) })}
      aria-current=${hour === ownHour ? 'true' : undefined}
    >
      <title>${tooltip}</title>
      <rect class="reach" x=${left} y=${TOP} width=${x.bandwidth()} height=${HEIGHT - TOP} />
      <rect
        class=${`${riskClass(points)} ${hasFlights(hour) ? '' : 'hollow'}`}
        x=${left}
        y=${top}
        width=${x.bandwidth()}
        height=${y(0) - top}
        rx="1.5"
      />
      ${
        labelledHours.has(hour) &&
        html`<text
          aria-hidden="true"
          class="value"
          x=${left + x.bandwidth() / 2}
          y=${top - 4}
          text-anchor="middle"
          >${points}</text
        >`
      }
      ${
        hour === ownHour &&
        html`<path class="pointer" d=${`M${left + x.bandwidth() / 2} ${y(0) + 2} l4.5 6 h-9 z`} />`
      }
    </a>`;
  });
  const drawing = html`<svg
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    role="group"
    aria-label="Score by hour of departure"
  >
    ${bandLines(y)} ${bars} ${axisAt(y(0), x, locale)}
  </svg>`;
  return picture({
    id: 'hours',
    title: 'By departure hour',
    note:
      hours === null
        ? 'The score for each departure hour. Choose an hour to see a flight at that time.'
        : 'The score for each departure hour. Hollow bars: no departures on record. Choose an hour to see a flight at that time.',
    drawing,
    legend: scoreLegend(),
    table: () => ({
      columns: ['Departure', 'Score', 'Label', 'Share of flights'],
      rows: score.by_hour.map(({ hour, score: points, label }) => [
        hourText(hour, locale),
        points,
        label,
        hours === null ? 'not known' : percent(hours[hour] ?? 0, locale),
      ]),
    }),
  });
}

/**
 * Returns the hours whose figures are shown. Leaves out an hour next to an hour that comes earlier in the list, because
 * the two figures would overlap.
 */
function dropNeighbours(hours: readonly (number | undefined)[]): Set<number> {
  const labelled = new Set<number>();
  for (const hour of hours) {
    if (hour === undefined || labelled.has(hour - 1) || labelled.has(hour + 1)) continue;
    labelled.add(hour);
  }
  return labelled;
}

const ABOVE_LOW = BANDS.slice(1);

function bandLines(y: ScaleLinear<number, number>) {
  const [, highest = 0] = y.domain();
  return ABOVE_LOW.filter(({ from }) => from <= highest).map(
    ({ from, label }) =>
      html`<line class="rule" x1="0" x2=${WIDTH - RIGHT} y1=${y(from)} y2=${y(from)} />
        <text class="band" x=${WIDTH} y=${y(from) + 3.5} text-anchor="end">${label}</text>`,
  );
}

function axisAt(ground: number, x: ScaleBand<number>, locale: string) {
  return html`<line class="axis" x1="0" x2=${WIDTH - RIGHT} y1=${ground} y2=${ground} />
    ${TICKS.map(
      ([hour, anchor]) =>
        html`<text
          class="tick"
          x=${(x(hour) ?? 0) + x.bandwidth() / 2}
          y=${HEIGHT - 5}
          text-anchor=${anchor}
        >
          ${hourText(hour, locale)}
        </text>`,
    )}`;
}

const TICKS = [
  [0, 'start'],
  [6, 'middle'],
  [12, 'middle'],
  [18, 'middle'],
  [23, 'end'],
] as const;

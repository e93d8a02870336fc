import { scaleLinear } from 'd3-scale';
import { figure, signedFigure } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { riskClass } from '../risk.ts';
import type { FlightData } from './flight-data.ts';
import { contributionSteps, type Step } from './figures.ts';

const [WIDTH, NAMES, VALUES, ROW, BAR] = [384, 104, 44, 25, 15];

/** A waterfall chart: from the score of an average flight to this score, factor by factor. */
export function waterfall({ score }: FlightData, { locale }: Frame) {
  const steps = contributionSteps(score);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const x = scaleLinear()
    .domain([Math.min(0, ...ends), Math.max(score.score, ...ends, 1)])
    .range([NAMES, WIDTH - VALUES]);
  const height = (steps.length + 1) * ROW + 6;

  const pointsText = ({ key, points }: Step, digits?: number) =>
    key === 'average' ? figure(points, locale, digits ?? 1) : signedFigure(points, locale, digits);
  const rows = steps.map((step, at) => {
    const { key, name, isPlaceholder, points, from, to } = step;
    const y = at * ROW + 4;
    const [left, right] = [x(Math.min(from, to)), x(Math.max(from, to))];
    return html`<g>
      <text class="name" x="0" y=${y + BAR - 3}>${isPlaceholder ? `(${name})` : name}</text>
      <rect
        class=${key === 'average' ? 'start' : points < 0 ? 'down' : 'up'}
        x=${left}
        y=${y}
        width=${Math.max(1, right - left)}
        height=${BAR}
        rx="1.5"
      />
      <line class="link" x1=${x(to)} x2=${x(to)} y1=${y + BAR} y2=${y + ROW} />
      <text class="figure" x=${WIDTH} y=${y + BAR - 3} text-anchor="end">${pointsText(step)}</text>
    </g>`;
  });
  const y = steps.length * ROW + 4;
  const drawing = html`<svg
    viewBox=${`0 0 ${WIDTH} ${height}`}
    role="img"
    aria-label=${`Contributions to the score of ${score.score}; see the table for figures`}
  >
    <line class="axis" x1=${x(0)} x2=${x(0)} y1="0" y2=${height - 4} />
    ${rows}
    <text class="name total" x="0" y=${y + BAR - 3}>Score</text>
    <rect
      class=${riskClass(score.score)}
      x=${x(0)}
      y=${y}
      width=${x(score.score) - x(0)}
      height=${BAR}
      rx="1.5"
    />
    <text class="figure total" x=${WIDTH} y=${y + BAR - 3} text-anchor="end">${score.score}</text>
  </svg>`;
  return picture({
    id: 'contributions',
    title: 'What drives the score',
    note: `The points that each factor adds to the score of an average flight, or subtracts from it.${
      steps.some(({ isPlaceholder }) => isPlaceholder)
        ? ' Factors in brackets are unknown, so typical values are used.'
        : ''
    }`,
    drawing,
    table: () => ({
      columns: ['Factor', 'Points', 'Sum so far'],
      rows: [
        ...steps.map((step) => [
          step.isPlaceholder ? `${step.name} (unknown, typical value)` : step.name,
          pointsText(step, 2),
          step.to,
        ]),
        ['Score', score.score, score.score],
      ],
    }),
  });
}

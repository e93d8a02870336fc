import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { pointLine } from '../../../../models/points.ts';
import { expit } from '../../../../warehouse/ground/log-odds.ts';
import type { ModelBody } from '../../../schemas/model.ts';
import { flightCount, percent } from '../format.ts';
import { html } from '../html.ts';
import { shareLegend } from '../legend.ts';
import type { Frame } from '../page.ts';
import { percentRules } from '../percent-rules.ts';
import { picture } from '../picture.ts';
import { wilsonInterval } from '../places/shares.ts';
import { riskClass } from '../risk.ts';

const [WIDTH, HEIGHT, TOP, BOTTOM, LEFT] = [384, 250, 16, 52, 34];
const SCORES = Array.from({ length: 101 }, (_, score) => score);
/**
 * With full confidence in the record, `pointLine` returns the line for scores with a model. The probability does not
 * affect the line.
 */
const FULL_MODEL = { mlProbability: 0, confidence: 1 };

/** Converts a score to its share of late or cancelled flights, 0 to 1. */
export function shareOfScore(score: number): number {
  const { zero, slope } = pointLine(FULL_MODEL);
  return expit(zero + score / slope);
}

/**
 * The reliability curve, with a point for each tenth of the scale of scores. A point shows the observed share of late
 * or cancelled flights with its 90% interval. A line shows the share that each score predicts.
 */
export function reliabilityCurve(
  { tenths }: NonNullable<ModelBody['score_reliability']>,
  { locale }: Frame,
) {
  const bins = tenths.map((tenth) => ({
    ...tenth,
    middle: (tenth.from + Math.min(99, tenth.to)) / 2,
    ...wilsonInterval(tenth.disrupted ?? 0, tenth.flights),
  }));
  const known = bins.flatMap((bin) =>
    bin.disrupted === null ? [] : [{ ...bin, share: bin.disrupted }],
  );
  const x = scaleLinear().domain([0, 100]).range([LEFT, WIDTH]);
  const y = scaleLinear()
    .domain([0, Math.max(0.4, ...known.map(({ high }) => high))])
    .range([HEIGHT - BOTTOM, TOP])
    .clamp(true);
  const [, most = 0.4] = y.domain();
  const scale = line<number>(
    (score) => x(score),
    (score) => y(shareOfScore(score)),
  )(SCORES.filter((score) => shareOfScore(score) <= most));
  const dots = known.map(
    ({ from, to, middle, share, low, high, flights }) =>
      html`<g>
        <title>
          ${`Scores ${from} to ${to}: ${percent(share, locale)} of ${flightCount(flights, locale)}, 90% interval ${percent(low, locale)} to ${percent(high, locale)}`}
        </title>
        <line class="whisker" x1=${x(middle)} x2=${x(middle)} y1=${y(low)} y2=${y(high)} />
        <circle class=${`dot ${riskClass(middle)}`} cx=${x(middle)} cy=${y(share)} r="5" />
      </g>`,
  );
  return picture({
    id: 'tenths',
    title: 'Reliability curve',
    note: 'Dots: share of flights more than 30 minutes late or cancelled in each tenth of the scale, with 90% intervals. Dashed line: the share of late or cancelled flights that each score predicts. Below: number of flights.',
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Observed share late or cancelled by score; see the table for figures"
    >
      ${percentRules({ y, ticks: 4, left: LEFT, right: WIDTH }, locale)}
      <path class="expected" d=${scale} />
      ${dots}
      <line class="axis" x1=${LEFT} x2=${WIDTH} y1=${y(0)} y2=${y(0)} />
      ${bins.map(
        ({ from, middle, flights }) =>
          html`<text class="tick" x=${x(from)} y=${HEIGHT - BOTTOM + 14} text-anchor="middle"
              >${from}</text
            >
            <text class="band" x=${x(middle)} y=${HEIGHT - BOTTOM + 28} text-anchor="middle"
              >${countText(flights)}</text
            >`,
      )}
      <text class="tick" x=${WIDTH} y=${HEIGHT - 8} text-anchor="end">Score</text>
      <text class="tick" x=${LEFT} y=${HEIGHT - 8}>Flights</text>
    </svg>`,
    legend: shareLegend(locale),
    table: () => ({
      columns: [
        'Score',
        'Late or cancelled',
        'Flights',
        'Share of all',
        '90% interval from',
        'to',
        'Score stands for',
      ],
      rows: bins.map(({ from, to, middle, flights, share, disrupted, low, high }) => [
        `${from} to ${to}`,
        disrupted === null ? 'no flights' : percent(disrupted, locale),
        flights,
        percent(share, locale),
        disrupted === null ? '' : percent(low, locale),
        disrupted === null ? '' : percent(high, locale),
        percent(shareOfScore(middle), locale),
      ]),
    }),
  });
}

const COMPACT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 0 });

/** Formats `56k`. */
function countText(flights: number): string {
  return COMPACT.format(flights).replace('K', 'k');
}

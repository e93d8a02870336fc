import { BAND_COLOURS, drawChart, type Mark, type Panel } from '../chart.ts';
import { BANDS, LABELS, riskLabel } from '../../../models/label.ts';
import { lineOf } from '../../../models/points.ts';
import { cancelledRateValue, delayedRateValue, seasonValue } from '../../../models/scales.ts';
import marksFile from '../../../models/score-marks.json' with { type: 'json' };
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { VALUE_BINS, type Spread, type SpreadFactor } from './score-spread.ts';

/**
 * The panels, one for each factor. The curve of a panel goes from `min` to `max` of a quantity. `value` converts the
 * quantity to the value of the factor.
 */
const SCALES: {
  factor: SpreadFactor;
  title: string;
  min: number;
  max: number;
  value: (quantity: number) => number;
  format: string;
}[] = [
  {
    factor: 'delay_rate',
    title: 'delayed',
    min: 0.005,
    max: 0.45,
    value: delayedRateValue,
    format: '.0%',
  },
  {
    factor: 'cancel_rate',
    title: 'cancelled',
    min: 0.0005,
    max: 0.1,
    value: cancelledRateValue,
    format: '.0%',
  },
  {
    factor: 'congestion',
    title: 'mean congestion of both airports',
    min: 0,
    max: 1,
    value: (congestion) => congestion,
    format: '.1f',
  },
  {
    factor: 'seasonality',
    title: 'odds relative to an average day',
    min: 0.4,
    max: 2.4,
    value: seasonValue,
    format: '.1f',
  },
];
const STEPS = 120;
const BLUE = '#1f5fa8';

/**
 * Draws the path from factors to points, as SVG. Equal spreads give equal bytes. The picture has four rows of panels:
 * - two rows: the factor's value for each quantity, and the distribution of flights over the values,
 * - the meaning of a score,
 * - the distribution of scores over the bands.
 */
export function scorePicture({ values, scores, came }: Spread): string {
  const factors = SCALES.map((scale) => [scalePanel(scale), valuePanel(values[scale.factor])]);
  const maxShare = Math.max(...scores.alone, ...scores.blend);
  const rows = [
    factors.slice(0, 2).flat(),
    factors.slice(2).flat(),
    [meaningPanel(came)],
    [
      scorePanel('score without the model', scores.alone, maxShare),
      scorePanel('score with the model', scores.blend, maxShare),
    ],
  ];
  const legend = LABELS.map((name, at) => ({ name, colour: BAND_COLOURS[at] ?? '' }));
  return drawChart(rows, { legend });
}

function scalePanel({ title, min, max, value, format }: (typeof SCALES)[number]): Panel {
  const points = Array.from({ length: STEPS + 1 }, (_, step): [number, number] => {
    const at = min + ((max - min) * step) / STEPS;
    return [at, value(at)];
  });
  return {
    width: 190,
    height: 120,
    x: { title, domain: [0, max], ticks: 4, format },
    y: { title: 'value', domain: [0, 1], ticks: 5, format: '.1f' },
    marks: [{ kind: 'line', points, colour: BLUE, width: 2.5 }],
  };
}

function valuePanel(spread: number[]): Panel {
  const bars = spread.map((share, bin) => ({
    from: [0, bin / VALUE_BINS] as [number, number],
    to: [share, (bin + 1) / VALUE_BINS] as [number, number],
    colour: '#9db8d6',
  }));
  return {
    width: 80,
    height: 120,
    x: { title: 'flights', domain: [0, Math.max(...spread)], ticks: 3, format: '.0%' },
    y: { domain: [0, 1], ticks: 5 },
    marks: [{ kind: 'bars', bars }],
  };
}

/**
 * Draws the share of delayed or cancelled flights by score: a line for the marks without the model, and dots for the
 * shares observed with the model.
 */
function meaningPanel(came: Spread['came']): Panel {
  const { zero, slope } = lineOf(marksFile.marks.alone);
  const line = Array.from({ length: 101 }, (_, score): [number, number] => [
    score,
    expit(zero + score / slope),
  ]);
  const dots = came.map(({ score, disrupted }): [number, number] => [score, disrupted]);
  const top = Math.max(...[...line, ...dots].map(([, share]) => share));
  return {
    title: 'meaning of a score (line: marks; dots: flights of 2018)',
    width: 700,
    height: 150,
    x: { title: 'score', domain: [0, 100], ticks: 10, format: 'd' },
    y: { title: 'delayed or cancelled', domain: [0, top], ticks: 6, format: '.0%' },
    marks: [
      ...BANDS.slice(1).map(({ from }) => limitLine(from - 0.5, top)),
      { kind: 'line', points: line, colour: BLUE, width: 2 },
      { kind: 'dots', points: dots, colour: '#b3282d', radius: 3 },
    ],
  };
}

function scorePanel(title: string, spread: number[], maxShare: number): Panel {
  const labels = spread.map((_, score) => riskLabel(score));
  const bars = spread.map((share, score) => ({
    from: [score - 0.5, 0] as [number, number],
    to: [score + 0.5, share] as [number, number],
    colour: BAND_COLOURS[LABELS.indexOf(riskLabel(score))] ?? '',
  }));
  const limits = labels.flatMap((label, score) =>
    score > 0 && label !== labels[score - 1] ? [limitLine(score - 0.5, maxShare)] : [],
  );
  return {
    title,
    width: 330,
    height: 150,
    x: { title: 'score', domain: [-0.5, 100.5], ticks: 10, format: 'd' },
    y: { title: 'flights', domain: [0, maxShare], ticks: 4, format: '.1%' },
    marks: [{ kind: 'bars', bars }, ...limits],
  };
}

/** Returns a vertical line at the score that separates two bands. */
function limitLine(score: number, top: number): Mark {
  const points: [number, number][] = [
    [score, 0],
    [score, top],
  ];
  return { kind: 'line', points, colour: '#555555', width: 1, dash: '4 3' };
}

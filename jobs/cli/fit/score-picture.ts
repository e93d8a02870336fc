import { round } from '../../../warehouse/ground/round.ts';
import { BAND_COLOURS, svgOf } from '../svg.ts';
import { BANDS, LABELS, riskLabel } from '../../../models/label.ts';
import { lineOf } from '../../../models/points.ts';
import {
  cancelledRateValue,
  delayedRateValue,
  hourValue,
  seasonValue,
} from '../../../models/scales.ts';
import marksFile from '../../../models/score-marks.json' with { type: 'json' };
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { VALUE_BINS, type Spread, type SpreadFactor } from './score-spread.ts';

/**
 * For each factor, one panel with the range of the factor's quantity. `value` converts the quantity to the factor's
 * value.
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
    title: 'odds relative to an average hour',
    min: 0.2,
    max: 3.4,
    value: hourValue,
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
 * Draws the path from factors to points. Equal spreads give equal bytes. The picture has three rows of panels:
 * - upper panels: the factor's value for each quantity, and the distribution of flights over the values,
 * - middle panel: the meaning of a score,
 * - lower panels: the distribution of scores over the bands.
 */
export function scorePicture({ values, scores, came }: Spread): Promise<string> {
  const factors = SCALES.map((scale) => ({
    spacing: 14,
    hconcat: [scalePanel(scale), valuePanel(values[scale.factor])],
  }));
  const maxShare = Math.max(...scores.alone, ...scores.blend);
  return svgOf({
    spacing: 26,
    vconcat: [
      { spacing: 50, hconcat: factors.slice(0, 2) },
      { spacing: 50, hconcat: factors.slice(2) },
      meaningPanel(came),
      {
        spacing: 30,
        hconcat: [
          scorePanel('score without the model', scores.alone, maxShare),
          scorePanel('score with the model', scores.blend, maxShare),
        ],
      },
    ],
  });
}

function scalePanel({ title, min, max, value, format }: (typeof SCALES)[number]) {
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const at = min + ((max - min) * step) / STEPS;
    return { at: round(at, 4), value: round(value(at), 4) };
  });
  return {
    width: 190,
    height: 120,
    data: { values: points },
    mark: { type: 'line' as const, strokeWidth: 2.5, color: BLUE },
    encoding: {
      x: { field: 'at', type: 'quantitative' as const, title, axis: { format, tickCount: 4 } },
      y: {
        field: 'value',
        type: 'quantitative' as const,
        title: 'value',
        scale: { domain: [0, 1] },
        axis: { tickCount: 5 },
      },
    },
  };
}

function valuePanel(spread: number[]) {
  const bars = spread.map((share, bin) => ({
    from: bin / VALUE_BINS,
    to: (bin + 1) / VALUE_BINS,
    share,
  }));
  return {
    width: 80,
    height: 120,
    data: { values: bars },
    mark: { type: 'rect' as const, color: '#9db8d6', aria: false },
    encoding: {
      x: {
        field: 'share',
        type: 'quantitative' as const,
        title: 'flights',
        axis: { format: '.0%', tickCount: 3 },
        scale: { zero: true },
      },
      x2: { datum: 0 },
      y: {
        field: 'from',
        type: 'quantitative' as const,
        title: null,
        scale: { domain: [0, 1] },
        axis: { labels: false, tickCount: 5 },
      },
      y2: { field: 'to' },
    },
  };
}

/**
 * Draws the share of delayed or cancelled flights by score: a line for the marks without the model, and dots for the
 * shares observed with the model.
 */
function meaningPanel(came: Spread['came']) {
  const { zero, slope } = lineOf(marksFile.marks.alone);
  const markLine = Array.from({ length: 101 }, (_, score) => ({
    score,
    disrupted: round(expit(zero + score / slope), 4),
  }));
  const x = {
    field: 'score',
    type: 'quantitative' as const,
    title: 'score',
    scale: { domain: [0, 100] },
  };
  const y = {
    field: 'disrupted',
    type: 'quantitative' as const,
    title: 'delayed or cancelled',
    axis: { format: '.0%', tickCount: 6 },
  };
  return {
    title: {
      text: 'meaning of a score (line: marks; dots: flights of 2018)',
      fontSize: 12,
      anchor: 'start' as const,
    },
    width: 700,
    height: 150,
    layer: [
      {
        data: { values: markLine },
        mark: { type: 'line' as const, strokeWidth: 2, color: BLUE },
        encoding: { x, y },
      },
      {
        data: { values: came },
        mark: { type: 'point' as const, filled: true, size: 40, color: '#b3282d', aria: false },
        encoding: { x, y },
      },
      {
        data: { values: BANDS.slice(1).map(({ from }) => ({ score: from - 0.5 })) },
        mark: { type: 'rule' as const, color: '#555555', strokeDash: [4, 3] },
        encoding: { x },
      },
    ],
  };
}

function scorePanel(title: string, spread: number[], maxShare: number) {
  const bars = spread.map((share, score) => ({
    from: score - 0.5,
    to: score + 0.5,
    share,
    band: riskLabel(score),
  }));
  const limits = bars.filter(({ band }, score) => score > 0 && band !== bars[score - 1]?.band);
  return {
    title: { text: title, fontSize: 12, anchor: 'start' as const },
    width: 330,
    height: 150,
    layer: [
      {
        data: { values: bars.filter(({ share }) => share > 0) },
        mark: { type: 'rect' as const, aria: false },
        encoding: {
          x: {
            field: 'from',
            type: 'quantitative' as const,
            title: 'score',
            scale: { domain: [0, 100] },
          },
          x2: { field: 'to' },
          y: {
            field: 'share',
            type: 'quantitative' as const,
            title: 'flights',
            axis: { format: '.0%', tickCount: 4 },
            scale: { domain: [0, maxShare] },
          },
          y2: { datum: 0 },
          color: {
            field: 'band',
            type: 'nominal' as const,
            title: null,
            scale: { domain: [...LABELS], range: BAND_COLOURS },
            legend: { orient: 'bottom' as const },
          },
        },
      },
      {
        data: { values: limits },
        mark: { type: 'rule' as const, color: '#555555', strokeDash: [4, 3] },
        encoding: { x: { field: 'from', type: 'quantitative' as const } },
      },
    ],
  };
}

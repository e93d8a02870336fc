import type { Backtest } from '../../../pipelines/model/backtest.ts';
import { HOURS, type Hours } from '../../../pipelines/model/forecasts.ts';
import { svgOf } from '../svg.ts';
import { percent } from '../tables.ts';
import { METHOD_NAMES, CHART_METHODS } from './names.ts';

/** A picture, and its description for screen readers. */
export type Chart = { svg: string; description: string };

const SIZE = { width: 340, height: 280 };

/** Colours that are distinct to colour-blind readers; the reference is grey and dashed. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#767676'];
const DASHES = [
  [1, 0],
  [1, 0],
  [1, 0],
  [4, 3],
];

const NAMES = CHART_METHODS.map((method) => METHOD_NAMES[method]);

/** Encodes the method as colour or dashes. Both encodings have the same legend, so Vega draws only one legend. */
function methodScale<T>(range: T[]) {
  return {
    field: 'method',
    type: 'nominal' as const,
    sort: NAMES,
    title: null,
    scale: { domain: NAMES, range },
    legend: {
      orient: 'bottom' as const,
      columns: 2,
      labelFontSize: 12,
      labelLimit: 200,
      symbolType: 'stroke',
      symbolSize: 400,
      symbolStrokeWidth: 2.5,
    },
  };
}
const METHOD_STYLE = { color: methodScale(COLOURS), strokeDash: methodScale(DASHES) };

/** Draws the reliability curve: observed against forecast shares, in 15 bins with equal numbers of flights. */
export async function reliabilityChart({ plots }: Backtest, hours: Hours): Promise<Chart> {
  const binsFor = (request: Hours) =>
    CHART_METHODS.flatMap((method) =>
      plots[method][request].reliability.map((bin) => ({ method: METHOD_NAMES[method], ...bin })),
    );
  // The pictures with and without the hour have equal axes, so readers can compare them.
  const allShares = HOURS.flatMap(binsFor).flatMap(({ forecast, observed }) => [
    forecast,
    observed,
  ]);
  const end = Math.ceil(Math.max(...allShares) * 20) / 20;
  const svg = await svgOf({
    ...SIZE,
    data: { values: binsFor(hours) },
    layer: [
      diagonal(end),
      {
        mark: { type: 'line', strokeWidth: 1.5, point: { size: 28 } },
        encoding: {
          x: shareAxis('forecast', 'forecast share of delayed flights', end),
          y: shareAxis('observed', 'observed share of delayed flights', end),
          ...METHOD_STYLE,
        },
      },
    ],
  });
  const ends = CHART_METHODS.map((method) => {
    const [low, high] = [
      plots[method][hours].reliability.at(0),
      plots[method][hours].reliability.at(-1),
    ];
    const from = `${percent(low?.forecast ?? 0)} forecast and ${percent(low?.observed ?? 0)} observed in the lowest bin`;
    return `${METHOD_NAMES[method]}: ${from}, ${percent(high?.forecast ?? 0)} and ${percent(high?.observed ?? 0)} in the highest`;
  });
  return {
    svg,
    description: `Line chart of observed against forecast shares. ${ends.join('; ')}.`,
  };
}

/**
 * Draws the ROC curve: the share of delayed flights found against the share of on-time flights misclassified. Flights
 * are selected from the highest forecast down.
 */
export function rocChart(result: Backtest, hours: Hours): Promise<Chart> {
  return rankingChart(result, hours, {
    x: 'onTime',
    title: 'share of on-time flights misclassified',
    describe: (method) => `${METHOD_NAMES[method]}: AUC ${result[method][hours].auc.toFixed(3)}`,
  });
}

/**
 * Draws the gain curve: the share of delayed flights found against the share of all flights selected. Flights are
 * selected from the highest forecast down.
 */
export function gainChart(result: Backtest, hours: Hours): Promise<Chart> {
  return rankingChart(result, hours, {
    x: 'flights',
    title: 'share of all flights, highest forecast first',
    describe: (method) => {
      const fifth = result.plots[method][hours].ranking.find(({ flights }) => flights >= 0.2);
      return `${METHOD_NAMES[method]}: the ${percent(fifth?.flights ?? 1)} of flights with the highest forecasts include ${percent(fifth?.delayed ?? 1)} of the delayed flights`;
    },
  });
}

async function rankingChart(
  { plots }: Backtest,
  hours: Hours,
  {
    x,
    title,
    describe,
  }: { x: string; title: string; describe: (method: (typeof CHART_METHODS)[number]) => string },
): Promise<Chart> {
  const values = CHART_METHODS.flatMap((method) =>
    plots[method][hours].ranking.map((point) => ({ method: METHOD_NAMES[method], ...point })),
  );
  const svg = await svgOf({
    ...SIZE,
    data: { values },
    layer: [
      diagonal(1),
      {
        mark: { type: 'line', strokeWidth: 2 },
        encoding: {
          x: shareAxis(x, title, 1),
          y: shareAxis('delayed', 'share of delayed flights found', 1),
          ...METHOD_STYLE,
        },
      },
    ],
  });
  return { svg, description: `Line chart. ${CHART_METHODS.map(describe).join('; ')}.` };
}

/** Returns an axis of shares from 0 to `end`. */
function shareAxis(field: string, title: string, end: number) {
  return {
    field,
    type: 'quantitative' as const,
    title,
    scale: { domain: [0, end] },
    axis: { format: '.0%', tickCount: 6 },
  };
}

/** Draws the line of a random ranking or of a perfect calibration. */
function diagonal(end: number) {
  return {
    data: { values: [{ at: 0 }, { at: end }] },
    mark: { type: 'line' as const, color: '#bbbbbb', strokeWidth: 1 },
    encoding: {
      x: { field: 'at', type: 'quantitative' as const },
      y: { field: 'at', type: 'quantitative' as const },
    },
  };
}

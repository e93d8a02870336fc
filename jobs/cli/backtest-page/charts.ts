import type { Backtest } from '../../../pipelines/model/backtest.ts';
import { HOURS, type Hours } from '../../../pipelines/model/forecasts.ts';
import { drawChart, type LegendEntry, type Mark } from '../chart.ts';
import { percent } from '../tables.ts';
import { METHOD_NAMES, CHART_METHODS } from './names.ts';

/** A picture, and its description for screen readers. */
export type Chart = { svg: string; description: string };

const SIZE = { width: 300, height: 260 };

/** Colours that are distinct to colour-blind readers. The reference method is grey and dashed. */
const STYLES = [
  { colour: '#0072b2' },
  { colour: '#d55e00' },
  { colour: '#009e73' },
  { colour: '#767676', dash: '4 3' },
];

const LEGEND: LegendEntry[] = CHART_METHODS.map((method, at) => ({
  name: METHOD_NAMES[method],
  ...(STYLES[at] ?? { colour: 'black' }),
}));

type Point = [x: number, y: number];

/**
 * Draws the reliability curve: the observed share of delayed flights against the forecast share, in 15 bins with equal
 * numbers of flights.
 */
export function reliabilityChart({ plots }: Backtest, hours: Hours): Chart {
  const curvesFor = (request: Hours) =>
    CHART_METHODS.map((method) =>
      plots[method][request].reliability.map(({ forecast, observed }): Point => [
        forecast,
        observed,
      ]),
    );
  // The pictures with and without the departure hour have the same axes, so that readers can compare them.
  const end = Math.ceil(Math.max(...HOURS.flatMap(curvesFor).flat(2)) * 20) / 20;
  const svg = drawCurves(curvesFor(hours), {
    end,
    x: 'forecast share of delayed flights',
    y: 'observed share of delayed flights',
    dotRadius: 3,
  });
  const ends = CHART_METHODS.map((method) => {
    const [low, high] = [
      plots[method][hours].reliability.at(0),
      plots[method][hours].reliability.at(-1),
    ];
    const [lowest, highest] = [low, high].map(
      (bin) => `${percent(bin?.forecast ?? 0)} forecast, ${percent(bin?.observed ?? 0)} observed`,
    );
    return `${METHOD_NAMES[method]}: lowest bin ${lowest}; highest bin ${highest}`;
  });
  return {
    svg,
    description: `Line chart of observed against forecast shares. ${ends.join('; ')}.`,
  };
}

/**
 * Draws the ROC curve. For each share of on-time flights that are misclassified, the curve shows the share of delayed
 * flights that are found. Flights are selected from the highest forecast down.
 */
export function rocChart(result: Backtest, hours: Hours): Chart {
  return rankingChart(result, hours, {
    x: 'onTime',
    title: 'share of on-time flights misclassified',
    describe: (method) => `${METHOD_NAMES[method]}: AUC ${result[method][hours].auc.toFixed(3)}`,
  });
}

/**
 * Draws the gain curve. For each share of all flights that are selected, the curve shows the share of delayed flights
 * that are found. Flights are selected from the highest forecast down.
 */
export function gainChart(result: Backtest, hours: Hours): Chart {
  return rankingChart(result, hours, {
    x: 'flights',
    title: 'share of all flights, from the highest forecast down',
    describe: (method) => {
      const fifth = result.plots[method][hours].ranking.find(({ flights }) => flights >= 0.2);
      return `${METHOD_NAMES[method]}: the ${percent(fifth?.flights ?? 1)} of flights with the highest forecasts include ${percent(fifth?.delayed ?? 1)} of the delayed flights`;
    },
  });
}

function rankingChart(
  { plots }: Backtest,
  hours: Hours,
  {
    x,
    title,
    describe,
  }: {
    x: 'onTime' | 'flights';
    title: string;
    describe: (method: (typeof CHART_METHODS)[number]) => string;
  },
): Chart {
  const curves = CHART_METHODS.map((method) =>
    plots[method][hours].ranking.map((point): Point => [point[x], point.delayed]),
  );
  const svg = drawCurves(curves, {
    end: 1,
    x: title,
    y: 'share of all delayed flights that are found',
  });
  return { svg, description: `Line chart. ${CHART_METHODS.map(describe).join('; ')}.` };
}

/**
 * Draws one curve for each method of the legend. Both axes show shares, from 0 to `end`. The diagonal shows a random
 * ranking or, in the reliability curve, a perfect calibration. `dotRadius` adds a dot at each point.
 */
function drawCurves(
  curves: Point[][],
  { end, x, y, dotRadius }: { end: number; x: string; y: string; dotRadius?: number },
): string {
  const axis = { domain: [0, end] as [number, number], ticks: 6, format: '.0%' };
  const diagonal: Mark = {
    kind: 'line',
    points: [
      [0, 0],
      [end, end],
    ],
    colour: '#bbbbbb',
    width: 1,
  };
  const marks = curves.flatMap((points, at): Mark[] => {
    const style = STYLES[at] ?? { colour: 'black' };
    const curve: Mark = { kind: 'line', points, width: 2, ...style };
    if (dotRadius === undefined) return [curve];
    return [curve, { kind: 'dots', points, colour: style.colour, radius: dotRadius }];
  });
  const panel = {
    ...SIZE,
    x: { title: x, ...axis },
    y: { title: y, ...axis },
    marks: [diagonal, ...marks],
  };
  return drawChart([[panel]], { legend: LEGEND });
}

import type { Backtest } from '../../../pipelines/model/backtest.ts';
import { HOURS, type Hours } from '../../../pipelines/model/forecasts.ts';
import { svgOf } from '../svg.ts';
import { percent } from '../tables.ts';
import { METHOD_NAMES, SHOWN } from './names.ts';

/** A picture, and in words what it shows for those who do not see it. */
export type Chart = { svg: string; words: string };

const SIZE = { width: 340, height: 280 };

/** Colours that the colour-blind tell apart; what we compare with is grey and dashed. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#767676'];
const DASHES = [
  [1, 0],
  [1, 0],
  [1, 0],
  [4, 3],
];

const NAMES = SHOWN.map((method) => METHOD_NAMES[method]);

/** A line's colour and dashes; both have the same legend, so there is one. */
function byMethod<T>(range: T[]) {
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
const LOOKS = { color: byMethod(COLOURS), strokeDash: byMethod(DASHES) };

/** Observed against forecast shares, in 15 bins of equally many flights. */
export async function reliabilityChart({ plots }: Backtest, hours: Hours): Promise<Chart> {
  const bins = (asked: Hours) =>
    SHOWN.flatMap((method) =>
      plots[method][asked].reliability.map((bin) => ({ method: METHOD_NAMES[method], ...bin })),
    );
  // Both pictures have the same axes, so that they can be compared.
  const both = HOURS.flatMap(bins).flatMap(({ forecast, observed }) => [forecast, observed]);
  const end = Math.ceil(Math.max(...both) * 20) / 20;
  const svg = await svgOf({
    ...SIZE,
    data: { values: bins(hours) },
    layer: [
      diagonal(end),
      {
        mark: { type: 'line', strokeWidth: 1.5, point: { size: 28 } },
        encoding: {
          x: shares('forecast', 'forecast share of delayed flights', end),
          y: shares('observed', 'share that came', end),
          ...LOOKS,
        },
      },
    ],
  });
  const ends = SHOWN.map((method) => {
    const [low, high] = [
      plots[method][hours].reliability.at(0),
      plots[method][hours].reliability.at(-1),
    ];
    const from = `${percent(low?.forecast ?? 0)} forecast and ${percent(low?.observed ?? 0)} come in the lowest bin`;
    return `${METHOD_NAMES[method]}: ${from}, ${percent(high?.forecast ?? 0)} and ${percent(high?.observed ?? 0)} in the highest`;
  });
  return { svg, words: `Line chart of observed against forecast shares. ${ends.join('; ')}.` };
}

/** Delayed flights found against on-time flights wrongly taken for delayed, from the highest forecast down. */
export function rocChart(result: Backtest, hours: Hours): Promise<Chart> {
  return rankingChart(result, hours, {
    x: 'onTime',
    title: 'share of on-time flights ranked above',
    words: (method) => `${METHOD_NAMES[method]}: AUC ${result[method][hours].auc.toFixed(3)}`,
  });
}

/** Delayed flights found against flights looked at, from the highest forecast down. */
export function gainChart(result: Backtest, hours: Hours): Promise<Chart> {
  return rankingChart(result, hours, {
    x: 'flights',
    title: 'share of all flights, highest forecast first',
    words: (method) => {
      const fifth = result.plots[method][hours].ranking.find(({ flights }) => flights >= 0.2);
      return `${METHOD_NAMES[method]}: the highest ${percent(fifth?.flights ?? 1)} of flights hold ${percent(fifth?.delayed ?? 1)} of the delayed ones`;
    },
  });
}

async function rankingChart(
  { plots }: Backtest,
  hours: Hours,
  {
    x,
    title,
    words,
  }: { x: string; title: string; words: (method: (typeof SHOWN)[number]) => string },
): Promise<Chart> {
  const values = SHOWN.flatMap((method) =>
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
          x: shares(x, title, 1),
          y: shares('delayed', 'share of delayed flights found', 1),
          ...LOOKS,
        },
      },
    ],
  });
  return { svg, words: `Line chart. ${SHOWN.map(words).join('; ')}.` };
}

/** An axis of shares from 0 to `end`. */
function shares(field: string, title: string, end: number) {
  return {
    field,
    type: 'quantitative' as const,
    title,
    scale: { domain: [0, end] },
    axis: { format: '.0%', tickCount: 6 },
  };
}

/** What chance alone, or a perfect calibration, would draw. */
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

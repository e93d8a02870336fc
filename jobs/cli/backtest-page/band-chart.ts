import type { Backtest } from '../../../pipelines/model/backtest.ts';
import type { Hours } from '../../../pipelines/model/forecasts.ts';
import { count, percent } from '../tables.ts';
import { BAND_COLOURS, svgOf } from '../svg.ts';
import type { Chart } from './charts.ts';

/** Draws the share of flights in each band that were delayed or cancelled. */
export async function bandChart({ bands }: Backtest, hours: Hours): Promise<Chart> {
  const rows = bands[hours].map(({ label, n, share, disrupted }) => ({
    label,
    share: disrupted ?? 0,
    text:
      disrupted === null
        ? 'no flights'
        : `${percent(disrupted)} of ${count(n)} (${percent(share)} of all)`,
  }));
  const label = {
    field: 'label',
    type: 'nominal' as const,
    sort: rows.map((row) => row.label),
    title: null,
  };
  const maxShare = Math.max(...rows.map(({ share }) => share));
  const share = {
    field: 'share',
    type: 'quantitative' as const,
    title: 'delayed or cancelled',
    scale: { domain: [0, maxShare * 1.5] },
    axis: { format: '.0%', tickCount: 5 },
  };
  const svg = await svgOf({
    width: 340,
    height: 150,
    data: { values: rows },
    encoding: { y: { ...label, axis: { labelFontSize: 12, labelLimit: 120 } }, x: share },
    layer: [
      {
        mark: { type: 'bar', height: 24 },
        encoding: {
          color: { ...label, scale: { domain: label.sort, range: BAND_COLOURS }, legend: null },
        },
      },
      {
        mark: { type: 'text', align: 'left', dx: 6, fontSize: 12 },
        encoding: { text: { field: 'text' } },
      },
    ],
  });
  return {
    svg,
    description: `Bar chart. ${rows.map(({ label, text }) => `${label}: ${text}`).join('; ')}.`,
  };
}

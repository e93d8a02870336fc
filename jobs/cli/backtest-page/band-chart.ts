import type { Backtest } from '../../../pipelines/model/backtest.ts';
import type { Hours } from '../../../pipelines/model/forecasts.ts';
import { count, percent } from '../tables.ts';
import { BAND_COLOURS, drawChart } from '../chart.ts';
import type { Chart } from './charts.ts';

/** Half the height of a bar, in rows. */
const BAR_HALF = 0.32;

/** Length of the axis divided by the length of the longest bar. The space to the right of a bar is for its text. */
const SPACE_FOR_TEXT = 2.2;

/** Draws the share of flights in each band that were delayed or cancelled. */
export function bandChart({ bands }: Backtest, hours: Hours): Chart {
  const rows = bands[hours].map(({ label, n, share, disrupted }) => ({
    label,
    share: disrupted ?? 0,
    text:
      disrupted === null
        ? 'no flights'
        : `${percent(disrupted)} of ${count(n)} (${percent(share)} of all)`,
  }));
  const maxShare = Math.max(...rows.map(({ share }) => share));
  // The first band is at the top, so row 0 has the highest position.
  const at = (row: number) => rows.length - row - 0.5;
  const bars = rows.map(({ share }, row) => ({
    from: [0, at(row) - BAR_HALF] as [number, number],
    to: [share, at(row) + BAR_HALF] as [number, number],
    colour: BAND_COLOURS[row] ?? '',
  }));
  const svg = drawChart(
    [
      [
        {
          width: 340,
          height: 150,
          x: {
            title: 'delayed or cancelled',
            domain: [0, maxShare * SPACE_FOR_TEXT],
            ticks: 5,
            format: '.0%',
          },
          y: {
            domain: [0, rows.length],
            ticks: rows.length,
            names: rows.map(({ label }, row) => [at(row), label]),
          },
          marks: [
            { kind: 'bars', bars },
            ...rows.map(({ share, text }, row) => ({
              kind: 'text' as const,
              at: [share, at(row)] as [number, number],
              text,
            })),
          ],
        },
      ],
    ],
    { left: 80 },
  );
  return {
    svg,
    description: `Bar chart. ${rows.map(({ label, text }) => `${label}: ${text}`).join('; ')}.`,
  };
}

import type { RecordFigures } from '../../../schemas/record.ts';
import { figuresTable } from '../figures-table.ts';
import { figure, signedFigure } from '../format.ts';
import type { Frame } from '../page.ts';

export type RecordTable = {
  caption: string;
  /** Heading of the first column. */
  first: string;
  rows: readonly { name: string; horizon: string; row: RecordFigures }[];
};

const HEADINGS = [
  'Made',
  'Flights',
  'Forecast %',
  'Actual %',
  'Difference',
  'Brier',
  'Reliability',
  'Resolution',
  'Uncertainty',
  'Log loss',
  'AUC',
];

/** A table of forecasts and actual shares. */
export function recordTable({ caption, first, rows }: RecordTable, { locale }: Frame) {
  return figuresTable(
    caption,
    [first, ...HEADINGS],
    rows.map(({ name, horizon, row }) => [name, horizon, ...cellsOf(row, locale)]),
  );
}

function cellsOf(row: RecordFigures, locale: string): string[] {
  const decimals = (value: number | null, noise: number | null, digits: number) =>
    value === null ? '–' : `${value.toFixed(digits)}${noiseText(noise, digits)}`;
  return [
    figure(row.flights, locale),
    decimals(100 * row.forecast, null, 1),
    decimals(100 * row.actual, row.actual_noise === null ? null : 100 * row.actual_noise, 1),
    `${signedFigure(100 * row.level, locale)}${noiseText(row.level_noise === null ? null : 100 * row.level_noise, 1)}`,
    decimals(row.brier, row.brier_noise, 4),
    decimals(row.reliability, row.reliability_noise, 4),
    decimals(row.resolution, row.resolution_noise, 4),
    decimals(row.uncertainty, row.uncertainty_noise, 4),
    decimals(row.log_loss, row.log_loss_noise, 4),
    decimals(row.auc, row.auc_noise, 3),
  ];
}

function noiseText(noise: number | null, digits: number): string {
  return noise === null ? '' : ` ± ${noise.toFixed(digits)}`;
}

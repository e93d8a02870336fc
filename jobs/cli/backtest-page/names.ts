import { METHODS, type Hours, type ForecastSource } from '../../../pipelines/model/forecasts.ts';

/** Methods in charts, in display order: our methods, and a plain XGBoost model as the reference. */
export const CHART_METHODS = [...METHODS, 'reference'] as const;

/** Methods in tables: the methods of the charts, and the historical rate of each airline-route. */
export const TABLE_METHODS = [...CHART_METHODS, 'rate'] as const;

export const METHOD_NAMES: Record<ForecastSource | 'reference', string> = {
  linear: 'statistics only',
  ml: 'model only',
  blend: 'blend (the score)',
  reference: 'plain XGBoost',
  rate: 'airline-route rate',
};

export const HOURS_NAMES: Record<Hours, string> = {
  with_dep_time: 'with the hour',
  without_dep_time: 'without the hour',
};

/** Escapes text for HTML, including quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

import { METHODS, type Hours, type Saying } from '../../../pipelines/model/forecasts.ts';

/** The methods and what they are compared with, in the order they are shown. */
export const SHOWN = [...METHODS, 'reference'] as const;

/** The same and, in tables, the rate that needs no model. */
export const TABLED = [...SHOWN, 'rate'] as const;

export const METHOD_NAMES: Record<Saying | 'reference', string> = {
  linear: 'statistics alone',
  ml: 'model alone',
  blend: 'blend (the score)',
  reference: 'plain XGBoost',
  rate: 'airline-route rate',
};

export const HOURS_NAMES: Record<Hours, string> = {
  with_dep_time: 'with the hour',
  without_dep_time: 'without the hour',
};

/** Text for HTML, quotes included. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

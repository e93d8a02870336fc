import { METHODS, type Hours, type Method } from '../../../pipelines/model/forecasts.ts';

/** The methods and what they are compared with, in the order they are shown. */
export const SHOWN = [...METHODS, 'reference'] as const;

export const METHOD_NAMES: Record<Method | 'reference', string> = {
  linear: 'statistics alone',
  ml: 'model alone',
  blend: 'blend (the score)',
  reference: 'plain XGBoost',
};

export const HOURS_NAMES: Record<Hours, string> = {
  with_dep_time: 'with the hour',
  without_dep_time: 'without the hour',
};

/** Text for HTML, quotes included. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

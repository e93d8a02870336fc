import { figure, month } from '../format.ts';
import type { Span } from './places-data.ts';

/** Formats `34 months, January 2018 to April 2025`. */
export function spanText({ first, last, months }: Span, locale: string): string {
  if (first === '' || last === '') return 'empty';
  return `${figure(months, locale)} months, ${month(first, locale)} to ${month(last, locale)}`;
}

/** Formats `Jan 2018 – Apr 2025`, or a single month. */
export function periodText(first: string, last: string, locale: string): string {
  return first === last
    ? month(first, locale, 'short')
    : `${month(first, locale, 'short')} – ${month(last, locale, 'short')}`;
}

import { isMonth, monthsBetween, type Month } from '../../pipelines/flights/months.ts';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import { CommandError } from '../errors.ts';

/** Parses a comma-separated list of months and spans, for example `2018-02..2018-12,2019-03`. */
export function parseMonthList(text: string): Month[] {
  const months = text.split(',').flatMap((part) => {
    const [first = '', last = first, ...rest] = part.split('..');
    if (rest.length > 0 || !isMonth(first) || !isMonth(last) || last < first) return [''];
    return monthsBetween(first, last);
  });
  if (months.length > 0 && !months.includes('')) return [...new Set(months)];
  throw new CommandError(`MONTH="${text}" is not a month like 2025-03, or 2025-03..2025-06`);
}

/** Formats months in the format that `parseMonthList` reads; consecutive months become a span. */
export function formatMonthList(months: readonly Month[]): string {
  const spans: { first: Month; last: Month }[] = [];
  for (const month of [...new Set(months)].toSorted()) {
    const span = spans.at(-1);
    if (span && monthsBetween(span.last, month).length === 2) span.last = month;
    else spans.push({ first: month, last: month });
  }
  return spans.map(({ first, last }) => (first === last ? first : `${first}..${last}`)).join(',');
}

/** Returns the commands that undo a change of these months: one line for flights, one for the delay-cause table. */
export function undoCommands(refs: readonly MonthRef[]): string {
  const lines = (['flights', 'levels'] as const).map((tree) => {
    const months = refs.filter((ref) => ref.tree === tree).map(({ month }) => month);
    const levels = tree === 'levels' ? ' LEVELS=1' : '';
    return months.length === 0
      ? ''
      : `To undo: make restore MONTH=${formatMonthList(months)}${levels}\n`;
  });
  return lines.join('');
}

import { isMonth, monthsBetween, type Month } from '../../pipelines/flights/months.ts';
import { datesText, type Period } from '../../warehouse/ground/period.ts';
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
  throw new CommandError(
    `MONTH="${text}" is neither a month (2025-03) nor a range of months (2025-03..2025-06)`,
  );
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

/** Formats months and years in the format that `MONTH=` reads: `2018,2024-01..2024-03`. */
function formatPeriodList(periods: readonly Period[]): string {
  const years = periods.filter(({ periodMonths }) => periodMonths === 12).map(datesText);
  const months = periods.filter(({ periodMonths }) => periodMonths !== 12);
  const list = formatMonthList(months.map(({ month }) => month));
  return [...new Set(years), ...(list === '' ? [] : [list])].join(',');
}

/** Returns the commands that undo a change of these months: one line for each provider and table. */
export function undoCommands(refs: readonly (MonthRef & Period)[]): string {
  const groups = Map.groupBy(refs, optionsOf);
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([options, own]) => `To undo: make restore MONTH=${formatPeriodList(own)}${options}\n`)
    .join('');
}

/** Formats the options of `make restore` and `make drop` that name the provider or the delay-cause table. */
export function optionsOf({ tree, provider }: Pick<MonthRef, 'tree' | 'provider'>): string {
  if (provider !== undefined) return ` PROVIDER=${provider}`;
  return tree === 'levels' ? ' LEVELS=1' : '';
}

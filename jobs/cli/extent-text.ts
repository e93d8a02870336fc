import type { MonthExtent, ExtentChange } from '../../pipelines/flights/types.ts';
import { count } from './tables.ts';

/** Maximum number of replaced months with a line each; further months are only counted. */
const MAX_LINES = 24;

/** Formats the content of a month: `16,853 flights, 31 days, 2 airports, 11 airlines from sea.csv (bts_short)`. */
export function extentText({ source, form, flights, ...rest }: MonthExtent): string {
  const { rows, days, airports, airlines } = rest;
  const counts = [
    countOf(flights, 'flight'),
    ...(rows === flights ? [] : [countOf(rows, 'row')]),
    days === 0 ? 'no days' : countOf(days, 'day'),
    countOf(airports, 'airport'),
    countOf(airlines, 'airline'),
  ];
  return `${counts.join(', ')} from ${source} (${form})`;
}

function countOf(amount: number, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** Formats replaced months, one per line: content before → content after. */
export function replacedLines(months: ({ month: string } & ExtentChange)[]): string[] {
  const lines = months
    .slice(0, MAX_LINES)
    .map(({ month, before, after }) => `${month}: ${extentText(before)} → ${extentText(after)}`);
  const more = months.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more months; for one: make status MONTH=`] : [])];
}

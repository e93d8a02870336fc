import type { MonthExtent, Replaced } from '../../pipelines/flights/types.ts';
import { count } from './tables.ts';

/** Beyond these, months that were replaced are told by their number. */
const MOST_TOLD = 24;

/** How much there is of a month: `16,853 flights, 31 days, 2 airports, 11 airlines of sea.csv (bts_short)`. */
export function extentText({ source, form, flights, ...rest }: MonthExtent): string {
  const { rows, days, airports, airlines } = rest;
  const counts = [
    several(flights, 'flight'),
    ...(rows === flights ? [] : [several(rows, 'row')]),
    days === 0 ? 'no days' : several(days, 'day'),
    several(airports, 'airport'),
    several(airlines, 'airline'),
  ];
  return `${counts.join(', ')} of ${source} (${form})`;
}

function several(amount: number, what: string): string {
  return `${count(amount)} ${what}${amount === 1 ? '' : 's'}`;
}

/** What months were before and are after, a line for each. */
export function replacedLines(months: ({ month: string } & Replaced)[]): string[] {
  const lines = months
    .slice(0, MOST_TOLD)
    .map(({ month, before, after }) => `${month}: ${extentText(before)} → ${extentText(after)}`);
  const more = months.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more months: make status MONTH= tells`] : [])];
}

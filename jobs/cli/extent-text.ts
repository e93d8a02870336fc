import type { ExtentChange } from '../../pipelines/flights/types.ts';
import type { Losses, MonthExtent } from '../../warehouse/extract/staged-month.ts';
import { count, countOf, table } from './tables.ts';

/** Maximum number of replaced months that have a line each. Further months are only counted. */
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

/** Formats replaced months, one per line: content before → content after. */
export function replacedLines(months: ({ month: string } & ExtentChange)[]): string[] {
  const lines = months
    .slice(0, MAX_LINES)
    .map(({ month, before, after }) => `${month}: ${extentText(before)} → ${extentText(after)}`);
  const more = months.length - lines.length;
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more months; to see one: make status MONTH=`] : []),
  ];
}

/** Maximum number of months whose losses are shown. */
const MAX_LOSSES = 6;

/** Formats the flights that each month loses, by group. Each month has its own table. */
export function lossesText(months: { month: string; losses?: Losses }[]): string[] {
  const lossy = months.flatMap(({ month, losses }) => (losses ? [{ month, losses }] : []));
  const more = lossy.length - MAX_LOSSES;
  return [
    ...lossy.slice(0, MAX_LOSSES).flatMap(({ month, losses }) => lossLines(month, losses)),
    ...(more > 0 ? [`and ${more} more months with missing flights`] : []),
  ];
}

/** Number of groups with a line in the table of losses. */
const GROUPS_SHOWN = 5;

/**
 * Formats the flights that a month loses, by group. The result is a sentence, and a table of the groups that lose most
 * flights.
 */
function lossLines(month: string, { byDay, flights, gained, groups }: Losses): string[] {
  const unit = byDay ? 'airline, airport and day' : 'airline and airport';
  const rows = groups
    .slice(0, GROUPS_SHOWN)
    .map(({ airline, airport, before, after, lost }) => [
      airline,
      airport,
      ...[before, after, lost].map(count),
    ]);
  return [
    `${month}: the month in the lake has ${countOf(flights, 'flight')} that the file lacks, and the file has ${count(gained)} that the lake lacks (counted by ${unit}). The largest losses:`,
    table(['airline', 'airport', 'in the lake', 'in the file', 'missing'], rows),
  ];
}

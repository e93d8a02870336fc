import { DAY_MS } from '../ground/dates.ts';
import type { Columns } from './arrow.ts';
import type { ScoreStore } from './types.ts';

/** Look-up of the days from the nearest public holiday; the table is sorted by country and day. */
export function holidayCalendar(columns: Columns): ScoreStore['holidayDistance'] {
  const epochDays = columns.numbers('epoch_day');
  const days = columns.numbers('days');
  const span = countrySpans(columns.text('country_code'));
  return (countryCode, date) => {
    const [from, until] = span.get(countryCode) ?? [0, 0];
    const row = rowOf(epochDays, Date.parse(date) / DAY_MS, from, until);
    return row === undefined ? undefined : days[row];
  };
}

/** Rows of each country as `[from, until)`. */
function countrySpans(countries: string[]): Map<string, [number, number]> {
  const spans = new Map<string, [number, number]>();
  for (const [row, country] of countries.entries()) {
    const span = spans.get(country);
    if (span) span[1] = row + 1;
    else spans.set(country, [row, row + 1]);
  }
  return spans;
}

/** Row in `[from, until)` that holds the value, by halving. */
function rowOf(
  sorted: ReturnType<Columns['numbers']>,
  value: number,
  from: number,
  until: number,
): number | undefined {
  let low = from;
  let high = until;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low < until && sorted[low] === value ? low : undefined;
}

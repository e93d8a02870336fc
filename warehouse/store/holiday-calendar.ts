import { epochDay } from '../ground/dates.ts';
import type { Columns } from './arrow.ts';
import type { ScoreStore } from './types.ts';

/** Marks a day that has no holiday nearby. */
const NO_HOLIDAY = 127;

/** Distance in days from the nearest holiday, for each day. `first` is the first day, in days since 1970. */
type Calendar = { first: number; days: Int8Array };

/** Returns a lookup of the days from the nearest public holiday. The table must be sorted by country and day. */
export function holidayCalendar(columns: Columns): ScoreStore['holidayDistance'] {
  const epochDays = columns.numbers('epoch_day');
  const days = columns.numbers('days');
  const calendars = new Map<string, Calendar>();
  for (const [country, [from, until]] of countrySpans(columns.text('country_code'))) {
    const first = epochDays[from] as number;
    const calendar = new Int8Array((epochDays[until - 1] as number) - first + 1).fill(NO_HOLIDAY);
    for (let row = from; row < until; row++) {
      calendar[(epochDays[row] as number) - first] = days[row] as number;
    }
    calendars.set(country, { first, days: calendar });
  }
  return (countryCode, date) => {
    const calendar = calendars.get(countryCode);
    const distance = calendar?.days[epochDay(date) - calendar.first];
    return distance === NO_HOLIDAY ? undefined : distance;
  };
}

/** Returns the rows of each country as `[from, until)`. */
function countrySpans(countries: string[]): Map<string, [number, number]> {
  const spans = new Map<string, [number, number]>();
  for (const [row, country] of countries.entries()) {
    const span = spans.get(country);
    if (span) span[1] = row + 1;
    else spans.set(country, [row, row + 1]);
  }
  return spans;
}

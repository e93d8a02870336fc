import { epochDay } from '../ground/dates.ts';
import type { Columns } from './arrow.ts';
import type { ScoreStore } from './types.ts';

/** Effects of the days of a country. `first` is the first day, in days since 1970. NaN is a day without an effect. */
type Calendar = { first: number; logOdds: Float32Array; names: Map<number, string> };

/** Returns a function that looks up the effect of holidays on a day. The table must be sorted by country and day. */
export function holidayCalendar(columns: Columns): ScoreStore['holidayDay'] {
  const epochDays = columns.numbers('epoch_day');
  const logOdds = columns.numbers('log_odds');
  const names = columns.text('name');
  const calendars = new Map<string, Calendar>();
  for (const [country, [from, until]] of countrySpans(columns.text('country_code'))) {
    const first = epochDays[from] as number;
    const length = (epochDays[until - 1] as number) - first + 1;
    const calendar = {
      first,
      logOdds: new Float32Array(length).fill(Number.NaN),
      names: new Map<number, string>(),
    };
    for (let row = from; row < until; row++) {
      const day = (epochDays[row] as number) - first;
      calendar.logOdds[day] = logOdds[row] as number;
      const name = names[row];
      if (name) calendar.names.set(day, name);
    }
    calendars.set(country, calendar);
  }
  return (countryCode, date) => {
    const calendar = calendars.get(countryCode) ?? calendars.get(COUNTRY_OF[countryCode] ?? '');
    if (!calendar) return undefined;
    const day = epochDay(date) - calendar.first;
    const effect = calendar.logOdds[day];
    if (effect === undefined || Number.isNaN(effect)) return undefined;
    const name = calendar.names.get(day);
    return name === undefined ? { logOdds: effect } : { name, logOdds: effect };
  };
}

/**
 * Maps each territory to a country. The territory has the same days off as this country, and most of its flights go
 * there. If there is no evidence for a territory, it has the effects of this country.
 */
const COUNTRY_OF: Record<string, string> = {
  AS: 'US',
  GU: 'US',
  MP: 'US',
  PR: 'US',
  UM: 'US',
  VI: 'US',
};

/** Returns the range of rows of each country, as `[from, until)`. */
function countrySpans(countries: string[]): Map<string, [number, number]> {
  const spans = new Map<string, [number, number]>();
  for (const [row, country] of countries.entries()) {
    const span = spans.get(country);
    if (span) span[1] = row + 1;
    else spans.set(country, [row, row + 1]);
  }
  return spans;
}

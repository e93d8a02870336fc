import Holidays from 'date-holidays';
import { addDays, DAY_MS } from '../ground/dates.ts';

/** A day off for a whole country; grain: one per country and date. */
export type Holiday = {
  /** ISO 3166 code, as in `Airport`. */
  countryCode: string;
  /** Local calendar date, `YYYY-MM-DD`. */
  date: string;
  /** English name. */
  name: string;
};

/**
 * Countries whose widest holidays are law of the parts, not of the whole: their most populous part
 * speaks for them (the August bank holiday, Victoria Day, the King's Birthday would be missing).
 */
const LEADING_REGION: Record<string, string> = { AU: 'NSW', CA: 'ON', GB: 'ENG' };

/** Territories the source does not list that keep the federal holidays of the United States. */
const SAME_HOLIDAYS: Record<string, string> = { MP: 'US', UM: 'US' };

const HOUR_MS = 3_600_000;

/**
 * The public holidays of the countries in the years `[fromYear, untilYear)`, by country and date.
 *
 * Substitute days are there beside the day they stand for, and every day of a longer feast is.
 * Half days, observances, bank and school holidays are not. A country date-holidays does not know
 * has none. About 8 ms per country and 3 years.
 */
export function publicHolidays(
  countryCodes: string[],
  fromYear: number,
  untilYear: number,
): Holiday[] {
  const known = new Holidays().getCountries('en');
  return [...new Set(countryCodes)].toSorted().flatMap((countryCode) => {
    const source = SAME_HOLIDAYS[countryCode] ?? countryCode;
    return source in known ? holidaysOf(countryCode, source, fromYear, untilYear) : [];
  });
}

function holidaysOf(
  countryCode: string,
  source: string,
  fromYear: number,
  untilYear: number,
): Holiday[] {
  const names = new Map<string, string>();
  // The year before gives the feasts that run past its end.
  for (let year = fromYear - 1; year < untilYear; year += 1) {
    for (const { date, name } of daysOff(source, year)) {
      if (!names.has(date)) {
        names.set(date, name);
      }
    }
  }
  return [...names]
    .map(([date, name]) => ({ countryCode, date, name }))
    .filter(({ date }) => date >= `${fromYear}` && date < `${untilYear}`)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

type DayOff = Pick<Holiday, 'date' | 'name'>;

/** Days off by country and year: all countries take seconds, and a back-test asks for the same years at every cut. */
const knownDaysOff = new Map<string, DayOff[]>();

/** The days of the holidays that begin in that year; a day is there for each holiday it belongs to. */
function daysOff(source: string, year: number): DayOff[] {
  const key = `${source} ${year}`;
  const known = knownDaysOff.get(key) ?? computeDaysOff(source, year);
  knownDaysOff.set(key, known);
  return known;
}

const calendars = new Map<string, Holidays>();

function calendarOf(source: string): Holidays {
  const options = { types: ['public' as const], languages: ['en'] };
  const region = LEADING_REGION[source];
  const calendar =
    calendars.get(source) ??
    (region === undefined ? new Holidays(source, options) : new Holidays(source, region, options));
  calendars.set(source, calendar);
  return calendar;
}

function computeDaysOff(source: string, year: number): DayOff[] {
  return calendarOf(source)
    .getHolidays(year, 'en')
    .flatMap((holiday) => datesOf(holiday).map((date) => ({ date, name: holiday.name })));
}

/**
 * The local dates a holiday covers. Only `date` says where it begins: `start` and `end` are instants
 * in the country's time zone, good for the length alone, which a clock change shortens by an hour.
 */
function datesOf({ date, start, end }: { date: string; start: Date; end: Date }): string[] {
  const wholeDays = Math.floor((end.getTime() - start.getTime() + HOUR_MS) / DAY_MS);
  return Array.from({ length: wholeDays }, (_, day) => addDays(date.slice(0, 10), day));
}

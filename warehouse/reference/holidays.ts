import Holidays from 'date-holidays';
import { addDays, DAY_MS } from '../ground/dates.ts';

/** A public holiday of a whole country, or Easter Sunday; one per country and date. */
export type Holiday = {
  /** ISO 3166 code, as in `Airport`. */
  countryCode: string;
  /** Local calendar date, `YYYY-MM-DD`. */
  date: string;
  /** English name. */
  name: string;
};

/**
 * Countries where major holidays are set by law of the regions, not of the country. The most populous region represents
 * the country; otherwise the August bank holiday, Victoria Day and the King's Birthday would be missing.
 */
const LEADING_REGION: Record<string, string> = { AU: 'NSW', CA: 'ON', GB: 'ENG' };

/** Territories that are missing from the source and that observe the federal holidays of the United States. */
const SAME_HOLIDAYS: Record<string, string> = { MP: 'US', UM: 'US' };

/** Names that differ from the usual spelling of the country. */
const SPELLINGS: Record<string, string> = { 'US Labour Day': 'Labor Day' };

/** Not a day off by law in most countries, but people travel around Easter Sunday everywhere. */
const EASTER = 'Easter Sunday';

const HOUR_MS = 3_600_000;

/**
 * Returns the public holidays of the countries in the years `[fromYear, untilYear)`, by country and date. Every day of a
 * longer holiday is included. Substitute days are excluded, because people travel around the holiday itself. Half days,
 * observances other than Easter Sunday, bank and school holidays are excluded. A country unknown to date-holidays has
 * no holidays. Three years of one country take about 8 ms.
 */
export function publicHolidays(
  countryCodes: string[],
  fromYear: number,
  untilYear: number,
): Holiday[] {
  const knownCountries = new Holidays().getCountries('en');
  return [...new Set(countryCodes)].toSorted().flatMap((countryCode) => {
    const source = SAME_HOLIDAYS[countryCode] ?? countryCode;
    return source in knownCountries ? holidaysOf(countryCode, source, fromYear, untilYear) : [];
  });
}

function holidaysOf(
  countryCode: string,
  source: string,
  fromYear: number,
  untilYear: number,
): Holiday[] {
  const names = new Map<string, string>();
  // The year before is included because a holiday can continue into the next year.
  for (let year = fromYear - 1; year < untilYear; year += 1) {
    for (const { date, name } of listDaysOff(source, year)) {
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

/**
 * Cache of days off by country and year. Computing all countries takes seconds, and a back-test needs the same years at
 * every cut.
 */
const daysOffCache = new Map<string, DayOff[]>();

/** Returns the days of the holidays that begin in that year; a day with several holidays appears several times. */
function listDaysOff(source: string, year: number): DayOff[] {
  const key = `${source} ${year}`;
  const days = daysOffCache.get(key) ?? computeDaysOff(source, year);
  daysOffCache.set(key, days);
  return days;
}

const calendars = new Map<string, Holidays>();

function calendarOf(source: string): Holidays {
  const options = { types: ['public' as const, 'observance' as const], languages: ['en'] };
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
    .filter(({ type, name, substitute }) => (type === 'public' || name === EASTER) && !substitute)
    .flatMap((holiday) =>
      datesOf(holiday).map((date) => ({
        date,
        name: SPELLINGS[`${source} ${holiday.name}`] ?? holiday.name,
      })),
    );
}

/**
 * Returns the local dates of a holiday. Only `date` gives its first day. `start` and `end` are instants in the
 * country's time zone and give only the length, which a clock change shortens by an hour.
 */
function datesOf({ date, start, end }: { date: string; start: Date; end: Date }): string[] {
  const wholeDays = Math.floor((end.getTime() - start.getTime() + HOUR_MS) / DAY_MS);
  return Array.from({ length: wholeDays }, (_, day) => addDays(date.slice(0, 10), day));
}

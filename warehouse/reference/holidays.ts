import Holidays from 'date-holidays';
import { addDays, DAY_MS } from '../ground/dates.ts';

/** A public holiday of a whole country, or Easter Sunday. Each country has at most one per date. */
export type Holiday = {
  /** ISO 3166 code, as in `Airport`. */
  countryCode: string;
  /** Local calendar date, `YYYY-MM-DD`. */
  date: string;
  /** English name. */
  name: string;
};

/**
 * Countries whose regions set major holidays by law. The most populous region represents the country. Otherwise the
 * August bank holiday, Victoria Day and the King's Birthday would be missing.
 */
const LEADING_REGION: Record<string, string> = { AU: 'NSW', CA: 'ON', GB: 'ENG' };

/** Territories without holidays in the source. They get the federal holidays of the United States. */
const SAME_HOLIDAYS: Record<string, string> = { MP: 'US', UM: 'US' };

/** Corrections of spellings in the source. */
const SPELLINGS: Record<string, string> = { 'US Labour Day': 'Labor Day' };

/**
 * Easter Sunday is included although it is not a public holiday in most countries: people travel around it everywhere.
 */
const EASTER = 'Easter Sunday';

const HOUR_MS = 3_600_000;

/**
 * Returns the public holidays of the countries in the years `[fromYear, untilYear)`, by country and date. Includes
 * every day of a longer holiday. Leaves out substitute days, because people travel around the holiday itself. Also
 * leaves out half days, bank holidays, school holidays, and observances other than Easter Sunday. If the package
 * `date-holidays` does not have a country, the country gets no holidays. Three years of one country take about 8 ms.
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
  // Start a year earlier, because a holiday can continue into the next year.
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
 * Cache of days off by country and year. Computing all countries takes seconds, and a backtest needs the same years
 * many times.
 */
const daysOffCache = new Map<string, DayOff[]>();

/** Returns the days of the holidays that begin in a year. A day with several holidays appears several times. */
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
 * Returns the local dates of a holiday. `date` is its first day. `start` and `end` only give its length, because they
 * are instants. A clock change shortens this length by an hour.
 */
function datesOf({ date, start, end }: { date: string; start: Date; end: Date }): string[] {
  const wholeDays = Math.floor((end.getTime() - start.getTime() + HOUR_MS) / DAY_MS);
  return Array.from({ length: wholeDays }, (_, day) => addDays(date.slice(0, 10), day));
}

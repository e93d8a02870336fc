import type { Progress } from '../../warehouse/progress.ts';
import { firstDay, monthOf } from '../../warehouse/ground/dates.ts';
import { SourceOutageError } from '../errors.ts';
import type { HttpGet } from '../http-get.ts';
import { absenceReason } from './http-answer.ts';
import { monthUrl, type MonthServer } from './month-source.ts';
import { monthsBetween, type Month } from './months.ts';

/** Result of a search for published months. */
export type MonthsFound = {
  /** Address of the server; absent if nothing was searched. */
  base?: string;
  /** Months searched for. */
  searched: Month[];
  /** The searched months that the server has published, newest first. */
  out: Month[];
  /** Months whose past weather must be fetched next. */
  weather: Month[];
};

export type FindMonthsDeps = {
  /** The server with the months; undefined if downloads are forbidden. */
  server: MonthServer | undefined;
  get: HttpGet;
  readCoverage: () => Promise<LakeCoverage>;
  now: () => Date;
};

/** Months in the lake. The search derives the missing months from them. */
export type LakeCoverage = {
  /** Every month with flights, ascending. */
  months: Month[];
  /**
   * Months of which the lake has only a part or a sample. A month is left out if its file from the server was refused.
   */
  incompleteMonths: Month[];
  /** Months with flights, without the history that ships with the code; ascending. */
  ownMonths: Month[];
  /** Months that an operator dropped; they are not fetched again. */
  droppedMonths: Month[];
  /** Months with weather from the archive, ascending. */
  weatherMonths: Month[];
};

/** If the lake is empty, this number of months is searched, counted back from now. */
const INITIAL_MONTHS = 12;
/**
 * Maximum number of months to fetch in a day, because a month's file has about 30 MB. Further months are fetched on the
 * next days.
 */
const MAX_MONTHS_PER_DAY = 6;
/**
 * Maximum number of weather months to fetch in a day. A month from the archive takes about 600 of the 9,000 calls in
 * the daily quota, and forecasts need the remaining calls.
 */
const MAX_WEATHER_PER_DAY = 4;

/**
 * Searches the server for published months, with HEAD requests. Searches for months after the last month in the lake,
 * for gaps between the lake's months, and for months that the lake has only in part. Finds at most six months, newest
 * first. Throws `SourceOutageError` if the server is unreachable.
 */
export async function findMonths(deps: FindMonthsDeps, progress: Progress): Promise<MonthsFound> {
  const { server, get, now } = deps;
  const lake = await deps.readCoverage();
  if (server === undefined) return { searched: [], out: [], weather: [] };
  const wanted = findWantedMonths(lake, now());
  const searched: Month[] = [];
  const published: Month[] = [];
  for (const month of wanted) {
    if (published.length === MAX_MONTHS_PER_DAY) break;
    searched.push(month);
    progress(searched.length, wanted.length, month);
    if (await isPublished(monthUrl(server, month), get)) published.push(month);
  }
  return { base: server.base, searched, out: published, weather: findDueWeather(lake, published) };
}

/**
 * Returns the months to search for, newest first: gaps between the months of the lake, later months up to the previous
 * calendar month, and months that the lake has only in part.
 */
export function findWantedMonths(
  { months, ownMonths, incompleteMonths, droppedMonths }: LakeCoverage,
  now: Date,
): Month[] {
  const today = now.toISOString();
  const lastEnded = monthOf(firstDay(today.slice(0, 10), -1));
  const last = months.at(-1);
  const from =
    last === undefined
      ? monthOf(firstDay(lastEnded, 1 - INITIAL_MONTHS))
      : monthOf(firstDay(last, 1));
  const isMissing = (month: Month) => !months.includes(month) && !droppedMonths.includes(month);
  const [first, end] = [ownMonths.at(0), ownMonths.at(-1)];
  const gaps = first === undefined || end === undefined ? [] : monthsBetween(first, end);
  const later = from > lastEnded ? [] : monthsBetween(from, lastEnded);
  const missing = [...gaps, ...later].filter(isMissing);
  return [...new Set([...missing, ...incompleteMonths])].toSorted().toReversed();
}

/**
 * Returns the months with flights after the last month of archive weather. Empty if no backfill has loaded archive
 * weather.
 */
function findDueWeather({ months, weatherMonths }: LakeCoverage, published: Month[]): Month[] {
  const last = weatherMonths.at(-1);
  if (last === undefined) return [];
  const withFlights = [...new Set([...months, ...published])].toSorted();
  return withFlights.filter((month) => month > last).slice(0, MAX_WEATHER_PER_DAY);
}

async function isPublished(url: string, get: HttpGet): Promise<boolean> {
  const response = await get({ url, method: 'HEAD', headers: {} });
  await response.cancel();
  if (absenceReason(response) !== undefined) return false;
  // If a server does not support HEAD, it may still have the file, so the download is tried.
  if ([200, 405, 501].includes(response.status)) return true;
  throw new SourceOutageError(url, `the server answers ${response.status}`);
}

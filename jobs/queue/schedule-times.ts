import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';

/** In place of a cron expression: it does not come by itself. */
export const OFF = 'off';

/** When what comes by itself comes: cron expressions, or `off`. */
export type ScheduleTimes = Readonly<{
  months: string;
  nightly: string;
  weather: string;
  news: string;
  nas: string;
  /** Of all of them, for example `America/New_York`. */
  timeZone: string;
}>;

export const DEFAULT_TIMES: ScheduleTimes = Object.freeze({
  months: '10 1 * * *',
  nightly: '30 2 * * *',
  weather: '10 */3 * * *',
  news: '*/30 * * * *',
  nas: '*/10 * * * *',
  timeZone: 'UTC',
});

/** The settings of the times, as environment variables. */
export const SCHEDULE_SETTINGS = {
  SCHEDULE_MONTHS: cron('SCHEDULE_MONTHS', DEFAULT_TIMES.months),
  SCHEDULE_NIGHTLY: cron('SCHEDULE_NIGHTLY', DEFAULT_TIMES.nightly),
  SCHEDULE_WEATHER: cron('SCHEDULE_WEATHER', DEFAULT_TIMES.weather),
  SCHEDULE_NEWS: cron('SCHEDULE_NEWS', DEFAULT_TIMES.news),
  SCHEDULE_NAS: cron('SCHEDULE_NAS', DEFAULT_TIMES.nas),
  SCHEDULE_TZ: z
    .string()
    .default(DEFAULT_TIMES.timeZone)
    .refine(isTimeZone, {
      error: ({ input }) => `SCHEDULE_TZ "${input}" is not a time zone such as Europe/Berlin`,
    }),
};

type Given = { [name in keyof typeof SCHEDULE_SETTINGS]: string };

/** The times of parsed settings. */
export function timesOf(given: Given): ScheduleTimes {
  return Object.freeze({
    months: given.SCHEDULE_MONTHS,
    nightly: given.SCHEDULE_NIGHTLY,
    weather: given.SCHEDULE_WEATHER,
    news: given.SCHEDULE_NEWS,
    nas: given.SCHEDULE_NAS,
    timeZone: given.SCHEDULE_TZ,
  });
}

function cron(name: string, usual: string) {
  return z
    .string()
    .default(usual)
    .refine((text) => text === OFF || isCron(text), {
      error: ({ input }) => `${name} "${input}" is neither a cron expression nor off`,
    });
}

/** Runs looked at: a year of months, and more than a week of days. */
const RUNS = 13;

/** The longest time between two runs, in seconds; 0 for what is off. */
export function longestGapS(pattern: string, tz = 'UTC'): number {
  if (pattern === OFF) return 0;
  const times = CronExpressionParser.parse(pattern, { tz, currentDate: new Date(0) })
    .take(RUNS)
    .map((time) => time.getTime());
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  return Math.max(...gaps) / 1_000;
}

function isCron(text: string): boolean {
  try {
    CronExpressionParser.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text }).format(0);
    return true;
  } catch {
    return false;
  }
}

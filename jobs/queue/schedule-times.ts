import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';

/** Switches a schedule off, in place of a cron expression. */
export const OFF = 'off';

/** The times of the schedules: cron expressions, or `off`. */
export type ScheduleTimes = Readonly<{
  months: string;
  nightly: string;
  weather: string;
  news: string;
  nas: string;
  /** The time zone of all these times, for example `America/New_York`. */
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

/** The environment variables of the times. */
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

type TimeSettings = { [name in keyof typeof SCHEDULE_SETTINGS]: string };

/** Returns the times in parsed settings. */
export function timesOf(settings: TimeSettings): ScheduleTimes {
  return Object.freeze({
    months: settings.SCHEDULE_MONTHS,
    nightly: settings.SCHEDULE_NIGHTLY,
    weather: settings.SCHEDULE_WEATHER,
    news: settings.SCHEDULE_NEWS,
    nas: settings.SCHEDULE_NAS,
    timeZone: settings.SCHEDULE_TZ,
  });
}

function cron(name: string, preset: string) {
  return z
    .string()
    .default(preset)
    .refine((text) => text === OFF || isCron(text), {
      error: ({ input }) => `${name} "${input}" is neither a cron expression nor off`,
    });
}

/** Number of runs that `longestGapS` compares: a year of monthly runs, and more than a week of daily runs. */
const SAMPLED_RUNS = 13;

/** Returns the longest time between two runs in seconds; 0 if the schedule is off. */
export function longestGapS(pattern: string, tz = 'UTC'): number {
  if (pattern === OFF) return 0;
  const times = CronExpressionParser.parse(pattern, { tz, currentDate: new Date(0) })
    .take(SAMPLED_RUNS)
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

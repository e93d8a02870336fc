import { z } from 'zod';
import { isCron, isTimeZone, OFF } from '../../warehouse/ground/cron.ts';

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

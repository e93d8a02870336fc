import { z } from 'zod';
import { SEARCHED_PROVIDERS } from '../../pipelines/providers/index.ts';
import { isCron, isTimeZone, OFF } from '../../warehouse/ground/cron.ts';

/** The times of the schedules: cron expressions, or `off`. */
export type ScheduleTimes = Readonly<{
  months: string;
  nightly: string;
  /**
   * Time of the record of forecasts. It is before the backup, so that the backup contains the forecasts of the night.
   */
  record: string;
  /** Times of the searches for new figures, by provider. */
  providers: Readonly<Record<string, string>>;
  /** Time of the snapshot, which writes files with the forecasts of the next month. */
  snapshot: string;
  weather: string;
  news: string;
  nas: string;
  verify: string;
  /** Time of the backup; `off` without a folder for backups. */
  backup: string;
  /**
   * Time of the restore drill, which restores the newest backup into a scratch folder; `off` without a folder for
   * backups.
   */
  drill: string;
  /** The time zone of all these times, for example `America/New_York`. */
  timeZone: string;
}>;

export const DEFAULT_TIMES: ScheduleTimes = Object.freeze({
  months: '10 1 * * *',
  nightly: '30 2 * * *',
  record: '20 3 * * *',
  providers: Object.freeze(Object.fromEntries(SEARCHED_PROVIDERS.map(({ name }) => [name, OFF]))),
  snapshot: '0 6 2 * *',
  weather: '10 */3 * * *',
  news: '*/30 * * * *',
  nas: '*/10 * * * *',
  verify: '40 4 * * 6',
  backup: OFF,
  drill: OFF,
  timeZone: 'UTC',
});

/** Times of the backup and of the restore drill if there is a folder for backups. */
const BACKUP_TIME = '40 3 * * *';
const DRILL_TIME = '40 5 * * 6';

/** Environment variables that set the times of the schedules. */
export const SCHEDULE_SETTINGS = {
  SCHEDULE_MONTHS: cron('SCHEDULE_MONTHS', DEFAULT_TIMES.months),
  SCHEDULE_NIGHTLY: cron('SCHEDULE_NIGHTLY', DEFAULT_TIMES.nightly),
  SCHEDULE_RECORD: cron('SCHEDULE_RECORD', DEFAULT_TIMES.record),
  SCHEDULE_SNAPSHOT: cron('SCHEDULE_SNAPSHOT', DEFAULT_TIMES.snapshot),
  SCHEDULE_WEATHER: cron('SCHEDULE_WEATHER', DEFAULT_TIMES.weather),
  SCHEDULE_NEWS: cron('SCHEDULE_NEWS', DEFAULT_TIMES.news),
  SCHEDULE_NAS: cron('SCHEDULE_NAS', DEFAULT_TIMES.nas),
  SCHEDULE_VERIFY: cron('SCHEDULE_VERIFY', DEFAULT_TIMES.verify),
  SCHEDULE_BACKUP: cron('SCHEDULE_BACKUP', BACKUP_TIME),
  SCHEDULE_DRILL: cron('SCHEDULE_DRILL', DRILL_TIME),
  SCHEDULE_TZ: z
    .string()
    .default(DEFAULT_TIMES.timeZone)
    .refine(isTimeZone, {
      error: ({ input }) => `SCHEDULE_TZ "${input}" is not a time zone such as Europe/Berlin`,
    }),
};

type TimeSettings = { [name in keyof typeof SCHEDULE_SETTINGS]: string };

/** Returns the times of the schedules from parsed settings. Without a folder for backups, backup and drill are off. */
export function timesOf(
  settings: TimeSettings & { BACKUP_TO?: string | undefined },
  providers: ScheduleTimes['providers'],
): ScheduleTimes {
  const hasBackups = settings.BACKUP_TO !== undefined;
  return Object.freeze({
    months: settings.SCHEDULE_MONTHS,
    nightly: settings.SCHEDULE_NIGHTLY,
    record: settings.SCHEDULE_RECORD,
    providers,
    snapshot: settings.SCHEDULE_SNAPSHOT,
    weather: settings.SCHEDULE_WEATHER,
    news: settings.SCHEDULE_NEWS,
    nas: settings.SCHEDULE_NAS,
    verify: settings.SCHEDULE_VERIFY,
    backup: hasBackups ? settings.SCHEDULE_BACKUP : OFF,
    drill: hasBackups ? settings.SCHEDULE_DRILL : OFF,
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

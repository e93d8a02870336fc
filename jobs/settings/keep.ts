import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_RETENTION, type Retention } from '../../warehouse/ground/retention.ts';
import { MAX_MONTH_VERSIONS } from '../../warehouse/lake/place-month.ts';
import { MIN_FREE_BYTES } from '../../warehouse/ground/files.ts';
import { LIVE_ARCHIVE_BYTES } from '../../warehouse/live/live-archive-limit.ts';
import { wholeNumber } from './kinds.ts';

/** Which data is stored, and for how long. */
export type KeepConfig = Readonly<{
  /** Number of former versions that the lake stores for each month. */
  keepVersions: number;
  /** Which former stores, models and scheduled backups are kept. */
  retention: Retention;
  /** Absolute path of the folder for scheduled backups. If absent, there are no scheduled backups. */
  backupTo: string | undefined;
  /** Days after which downloads and rows of refused files are removed. With 0, they are never removed. */
  keepDays: number;
  /** Days after which runs of the ledger are summed up by month. With 0, runs are never summed up. */
  keepRunDays: number;
  /** Maximum size of the archive of live data in bytes. */
  keepLiveBytes: number;
}>;

const MEGABYTE = 1_000_000;

/** The environment variables of `KeepConfig`. */
export const KEEP_SETTINGS = {
  KEEP_VERSIONS: wholeNumber('KEEP_VERSIONS', MAX_MONTH_VERSIONS, 'versions (0 to 999)', 3),
  KEEP_NEWEST: wholeNumber('KEEP_NEWEST', DEFAULT_RETENTION.newest, 'versions (1 to 999)', 3, 1),
  KEEP_DAILY: wholeNumber('KEEP_DAILY', DEFAULT_RETENTION.days, 'days (0 to 999)', 3),
  KEEP_WEEKLY: wholeNumber('KEEP_WEEKLY', DEFAULT_RETENTION.weeks, 'weeks (0 to 999)', 3),
  BACKUP_TO: z.string().optional(),
  KEEP_DAYS: wholeNumber('KEEP_DAYS', 90, 'days (0 to 9999)', 4),
  KEEP_RUN_DAYS: wholeNumber('KEEP_RUN_DAYS', 400, 'days (0 to 9999)', 4),
  KEEP_LIVE_MB: wholeNumber('KEEP_LIVE_MB', LIVE_ARCHIVE_BYTES / MEGABYTE, 'megabytes', 7),
};

type ParsedKeep = Record<Exclude<keyof typeof KEEP_SETTINGS, 'BACKUP_TO'>, number> & {
  BACKUP_TO?: string | undefined;
};

/** Returns the `KeepConfig` of parsed settings. A relative `BACKUP_TO` is below `cwd`. */
export function keepOf(settings: ParsedKeep, cwd: string): KeepConfig {
  const { KEEP_NEWEST: newest, KEEP_DAILY: days, KEEP_WEEKLY: weeks } = settings;
  return {
    keepVersions: settings.KEEP_VERSIONS,
    retention: Object.freeze({ newest, days, weeks }),
    backupTo: settings.BACKUP_TO === undefined ? undefined : resolve(cwd, settings.BACKUP_TO),
    keepDays: settings.KEEP_DAYS,
    keepRunDays: settings.KEEP_RUN_DAYS,
    keepLiveBytes: settings.KEEP_LIVE_MB * MEGABYTE,
  };
}

/**
 * Bytes that every job leaves free, even with `MIN_FREE_MB=0`. Redis needs them to record calls and jobs. Without them,
 * Redis refuses writes and calls get 503.
 */
const RESERVED_BYTES = 64_000_000;

/** Setting for the free disk space. Its parsed value is in bytes. */
export const DISK_SETTINGS = {
  MIN_FREE_MB: wholeNumber('MIN_FREE_MB', MIN_FREE_BYTES / MEGABYTE, 'megabytes', 7).transform(
    (megabytes) => Math.max(megabytes * 1_000_000, RESERVED_BYTES),
  ),
};

import { DAY_MS } from './dates.ts';

/** Rules for the number of versions to keep. A version is kept if at least one rule keeps it. */
export type Retention = Readonly<{
  /** Number of newest versions. */
  newest: number;
  /** Number of newest days. The last version of each of these days is kept. Days without versions do not count. */
  days: number;
  /**
   * Number of newest weeks (Monday to Sunday, UTC). The last version of each of these weeks is kept. Weeks without
   * versions do not count.
   */
  weeks: number;
}>;

/** At most 16 versions. They allow a rollback by minutes, days or weeks. */
export const DEFAULT_RETENTION: Retention = Object.freeze({ newest: 5, days: 7, weeks: 4 });

/** 1970-01-01 was a Thursday, three days after the start of its week. */
const WEEK_OFFSET_DAYS = 3;

/**
 * Returns the items to keep, oldest first. Many versions within a few minutes never displace the versions of earlier
 * days and weeks.
 */
export function retained<T>(
  items: readonly T[],
  timeOf: (item: T) => number,
  { newest, days, weeks }: Retention,
): T[] {
  const newestFirst = items.toSorted((a, b) => timeOf(b) - timeOf(a));
  const dayOf = (item: T) => Math.floor(timeOf(item) / DAY_MS);
  const kept = new Set([
    ...newestFirst.slice(0, newest),
    ...lastOfEach(newestFirst, dayOf, days),
    ...lastOfEach(newestFirst, (item) => Math.floor((dayOf(item) + WEEK_OFFSET_DAYS) / 7), weeks),
  ]);
  return newestFirst.filter((item) => kept.has(item)).toReversed();
}

/** Returns the newest item of each of the newest `count` periods. */
function lastOfEach<T>(
  newestFirst: readonly T[],
  periodOf: (item: T) => number,
  count: number,
): T[] {
  const periods = new Map<number, T>();
  for (const item of newestFirst) {
    const period = periodOf(item);
    if (!periods.has(period)) periods.set(period, item);
  }
  return [...periods.values()].slice(0, count);
}

import { DAY_MS } from './dates.ts';

/** How many versions to keep. The rules apply separately; a version that any rule keeps is kept. */
export type Retention = Readonly<{
  /** Number of newest versions. */
  newest: number;
  /** Number of days, newest first, of which the last version is kept. Days without a version do not count. */
  days: number;
  /** Number of weeks (Monday to Sunday, UTC) of which the last version is kept. Weeks without a version do not count. */
  weeks: number;
}>;

/** Enough to go back by minutes, days and weeks: at most 16 versions. */
export const DEFAULT_RETENTION: Retention = Object.freeze({ newest: 5, days: 7, weeks: 4 });

/** 1970-01-01 was a Thursday, three days after the start of its week. */
const WEEK_OFFSET_DAYS = 3;

/**
 * Returns the items to keep, oldest first. Because each day and each week has its own place, many versions within
 * minutes never remove every older version.
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

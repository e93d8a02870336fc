import { CronExpressionParser } from 'cron-parser';

/** A value that stands in place of a cron expression and switches the schedule off. */
export const OFF = 'off';

/** Number of runs that `longestGapS` compares: enough for a year of monthly runs. */
const SAMPLED_RUNS = 13;

/** Whether the text is a cron expression: five fields, or six with seconds first. */
export function isCron(text: string): boolean {
  try {
    // The parser accepts an empty text as "every minute".
    return text.trim() !== '' && CronExpressionParser.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Whether the text is a time zone such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text }).format(0);
    return true;
  } catch {
    return false;
  }
}

/** Returns the next times of a cron expression after `from`; empty if the schedule is off. */
export function nextTimes(pattern: string, tz: string, from: Date, count: number): Date[] {
  if (pattern === OFF) return [];
  return CronExpressionParser.parse(pattern, { tz, currentDate: from })
    .take(count)
    .map((time) => time.toDate());
}

/** Cached results of `longestGapS`, because the computation for a yearly schedule takes 70 ms. */
const longestGaps = new Map<string, number>();

/** Returns the longest time between two runs in seconds; 0 if the schedule is off. */
export function longestGapS(pattern: string, tz = 'UTC'): number {
  const key = `${tz} ${pattern}`;
  const gap = longestGaps.get(key) ?? computeLongestGapS(pattern, tz);
  longestGaps.set(key, gap);
  return gap;
}

function computeLongestGapS(pattern: string, tz: string): number {
  const times = nextTimes(pattern, tz, new Date(0), SAMPLED_RUNS).map((time) => time.getTime());
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  return Math.max(0, ...gaps) / 1_000;
}

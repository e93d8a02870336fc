import { DAY_MS } from './dates.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A length of time in the largest unit that tells something: `40 s`, `5 min`, `26 h`, `4 days`. */
export function inOneUnit(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** How long ago a moment was. */
export function ago(iso: string, now: string | Date): string {
  return `${inOneUnit(new Date(now).getTime() - Date.parse(iso))} ago`;
}

import { DAY_MS } from './dates.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Formats a duration in one suitable unit: `40 s`, `5 min`, `26 h`, `4 days`. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** Formats how long ago an instant was: `5 min ago`. */
export function formatAge(iso: string, now: string | Date): string {
  return `${formatDuration(new Date(now).getTime() - Date.parse(iso))} ago`;
}

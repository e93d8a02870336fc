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

/** Formats the time since an instant: `5 min ago`. */
export function formatAge(iso: string, now: string | Date): string {
  return `${formatDuration(new Date(now).getTime() - Date.parse(iso))} ago`;
}

/** Formats a time for people: `2026-11-01 02:30 UTC`. */
export function moment(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats the time until a moment: `in 3 hours`; `due` if it has passed. */
export function timeUntil(iso: string, now: string): string {
  const ms = Date.parse(iso) - Date.parse(now);
  return ms <= 0 ? 'due' : `in ${formatDuration(ms)}`;
}

/** Formats the time between two moments in seconds: `4.2 s`. */
export function seconds(from: string, until: string): string {
  return `${((Date.parse(until) - Date.parse(from)) / 1_000).toFixed(1)} s`;
}

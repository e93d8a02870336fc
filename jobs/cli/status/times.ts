import { formatDuration } from '../../../warehouse/ground/duration.ts';

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

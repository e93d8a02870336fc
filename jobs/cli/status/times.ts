import { DAY_MS } from '../../../warehouse/ground/dates.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A moment for people: `2026-11-01 02:30 UTC`. */
export function moment(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** How long ago, in the largest unit that tells something: `5 min ago`, `26 h ago`, `4 days ago`. */
export function ago(iso: string, now: string): string {
  return `${span(Date.parse(now) - Date.parse(iso))} ago`;
}

/** How long until then; `due` when it should have begun. */
export function ahead(iso: string, now: string): string {
  const ms = Date.parse(iso) - Date.parse(now);
  return ms <= 0 ? 'due' : `in ${span(ms)}`;
}

/** Seconds from one moment to the other: `4.2 s`. */
export function seconds(from: string, until: string): string {
  return `${((Date.parse(until) - Date.parse(from)) / 1_000).toFixed(1)} s`;
}

function span(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

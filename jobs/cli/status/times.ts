import { inOneUnit } from '../../../warehouse/ground/ago.ts';

/** A moment for people: `2026-11-01 02:30 UTC`. */
export function moment(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** How long until then; `due` when it should have begun. */
export function ahead(iso: string, now: string): string {
  const ms = Date.parse(iso) - Date.parse(now);
  return ms <= 0 ? 'due' : `in ${inOneUnit(ms)}`;
}

/** Seconds from one moment to the other: `4.2 s`. */
export function seconds(from: string, until: string): string {
  return `${((Date.parse(until) - Date.parse(from)) / 1_000).toFixed(1)} s`;
}

import type { VNode } from 'preact';
import { html } from '../html.ts';

const NUMBER = new Intl.NumberFormat('en-US');
const COMPACT = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** Formats a number with commas: `6,234,567`. */
export function count(value: number | undefined): string {
  return value === undefined ? '' : NUMBER.format(value);
}

/** Formats a number compactly: `6.23M`. */
export function compact(value: number): string {
  return COMPACT.format(value);
}

/** Formats a duration: `12 ms`, `4.1 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/** Formats a time in UTC: `2026-11-22 02:30`. */
export function moment(iso: string): VNode {
  return html`<time datetime=${iso}>${iso.slice(0, 16).replace('T', ' ')}</time>`;
}

/** Returns the duration of a run in ms. */
export function durationMs({
  startedAt,
  finishedAt,
}: {
  startedAt: string;
  finishedAt: string;
}): number {
  return Date.parse(finishedAt) - Date.parse(startedAt);
}

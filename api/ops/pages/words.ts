import type { VNode } from 'preact';
import { html } from '../html.ts';

const NUMBER = new Intl.NumberFormat('en-US');
const COMPACT = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** `6,234,567`. */
export function count(value: number | undefined): string {
  return value === undefined ? '' : NUMBER.format(value);
}

/** `6.23M`, where there is no room. */
export function short(value: number): string {
  return COMPACT.format(value);
}

/** `12 ms`, `4.1 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/** `2026-11-22 02:30` in UTC, as a moment machines read too. */
export function moment(iso: string): VNode {
  return html`<time datetime=${iso}>${iso.slice(0, 16).replace('T', ' ')}</time>`;
}

/** How long a run took, in ms. */
export function tookMs({
  startedAt,
  finishedAt,
}: {
  startedAt: string;
  finishedAt: string;
}): number {
  return Date.parse(finishedAt) - Date.parse(startedAt);
}

import { logit } from '../../../../warehouse/ground/log-odds.ts';
import { scorePoints } from '../../../../models/points.ts';
import type { Counted } from './places-data.ts';

/** Fewer flights than this say little: a slot with them is drawn smaller. */
export const THIN = 30;

/** Share of flights late or cancelled; diverted ones and those of unknown delay are left out. */
export function troubledShare({ flights, late, cancelled }: Counted): number {
  return flights + cancelled === 0 ? 0 : (late + cancelled) / (flights + cancelled);
}

/** Points on the scale of the score that such a share has, so that all pictures have one scale of colour. */
export function scoreOfShare(share: number): number {
  const held = Math.min(1 - 1e-6, Math.max(1e-6, share));
  return Math.round(scorePoints(logit(held), undefined).score);
}

/** `about 16 of 100`; `fewer than 1 of 100`. */
export function outOfHundred(share: number): string {
  const count = Math.round(100 * share);
  return count === 0 ? 'fewer than 1 of 100' : `about ${count} of 100`;
}

/** Whether a comparison is beyond what chance explains. */
export function isClear({ low, high }: { low: number; high: number }): boolean {
  return low > 1 || high < 1;
}

/** `1.17 times as often`; `about as often`, where chance explains the difference. */
export function timesAsOften(compared: { ratio: number; low: number; high: number }): string {
  return isClear(compared) ? `${compared.ratio.toFixed(2)} times as often` : 'about as often';
}

/** Slots added up. */
export function added(cells: readonly (Counted | null)[]): Counted {
  const sum = { flights: 0, late: 0, cancelled: 0 };
  for (const cell of cells) {
    sum.flights += cell?.flights ?? 0;
    sum.late += cell?.late ?? 0;
    sum.cancelled += cell?.cancelled ?? 0;
  }
  return sum;
}

import type { Completeness } from '../../warehouse/snapshot.ts';
import { count } from './tables.ts';

/** Formats how complete a month is: `partial: 4 of 31 days, 312 airports, 14 airlines`. */
export function completenessText({ kind, ...rest }: Completeness): string {
  const { tableShare, days, monthDays, airports, airlines } = rest;
  const facts = [
    ...(days === null ? [] : [`${days} of ${monthDays} days`]),
    `${count(airports)} ${airports === 1 ? 'airport' : 'airports'}`,
    `${airlines} ${airlines === 1 ? 'airline' : 'airlines'}`,
    ...(tableShare === null ? [] : [`${percent(tableShare)} of BTS's table`]),
  ];
  return `${kind}: ${facts.join(', ')}`;
}

/** Rounds down, so that only a month with all flights has 100 %. */
function percent(share: number): string {
  const value = 100 * share;
  return `${value < 10 ? (Math.floor(value * 100) / 100).toFixed(2) : Math.floor(value)} %`;
}

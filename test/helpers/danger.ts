import type { Danger } from '../../models/danger.ts';

/** The danger of a strike at JFK for one flight. */
export function someDanger(changes: Partial<Danger> = {}): Danger {
  const { logOdds = 4 } = changes;
  return {
    risk: 0.6,
    logOdds,
    range: [0, Math.min(6, 1.5 * logOdds)],
    cancelledShare: 0.3,
    cause: 'a strike is announced at JFK (Test Wire)',
    ...changes,
  };
}

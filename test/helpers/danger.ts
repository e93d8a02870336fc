import type { Danger } from '../../models/danger.ts';

/** The danger of a strike at JFK for one flight. */
export function someDanger(changes: Partial<Danger> = {}): Danger {
  return {
    risk: 0.6,
    logOdds: 4,
    cancelledShare: 0.3,
    cause: 'a strike is announced at JFK (Test Wire)',
    ...changes,
  };
}

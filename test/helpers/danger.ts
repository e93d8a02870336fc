import type { Danger } from '../../models/danger.ts';

/** A strike at JFK, as one flight has it. */
export function someDanger(changes: Partial<Danger> = {}): Danger {
  return {
    risk: 0.6,
    logOdds: 4,
    cancelledShare: 0.3,
    cause: 'a strike is announced at JFK (Test Wire)',
    ...changes,
  };
}

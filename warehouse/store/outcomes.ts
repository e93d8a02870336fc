import type { Columns } from './arrow.ts';
import { OUTCOME_STEPS, type OutcomeTable } from './outcome-kinds.ts';

/** Reads the effects of the store's table. */
export function readOutcomes(columns: Columns): OutcomeTable {
  const rows = new Map(columns.text('name').map((name, row) => [name, row]));
  return {
    steps: OUTCOME_STEPS,
    // Copies, because a view would keep the whole file in memory.
    effects: columns.lists('effects').values.slice(),
    spreads: columns.lists('spreads').values.slice(),
    rowOf: (name) => rows.get(name) ?? -1,
  };
}

import type { Columns } from './arrow.ts';
import type { RecordCell, RecordKind } from './types.ts';
import { OUTCOME_STEPS, type OutcomeTable } from './outcome-kinds.ts';

/**
 * Returns a function that looks up the flights of a record by slot; undefined if there is no record. Each call parses
 * the text of the record.
 */
export function recordCellsReader(
  columns: Columns,
): (kind: RecordKind, code: string) => RecordCell[] | undefined {
  const codes = columns.text('code');
  const rowOf = new Map(columns.text('kind').map((kind, row) => [`${kind} ${codes[row]}`, row]));
  const { values, offsets } = columns.bytes('cells');
  return (kind, code) => {
    const row = rowOf.get(`${kind} ${code}`);
    if (row === undefined) return undefined;
    const text = Buffer.from(values.subarray(offsets[row], offsets[row + 1])).toString('latin1');
    return text.split(',').map(cellOf);
  };
}

function cellOf(text: string): RecordCell {
  const [slot, completedCount, delayedCount, cancelledCount] = text.split(' ').map(Number);
  return { slot, completedCount, delayedCount, cancelledCount } as RecordCell;
}

/** Reads the effects on outcomes from a table of the store. */
export function readOutcomes(columns: Columns): OutcomeTable {
  const rows = new Map(columns.text('name').map((name, row) => [name, row]));
  return {
    steps: OUTCOME_STEPS,
    // Copies the numbers. Otherwise the whole file would stay in memory.
    effects: columns.lists('effects').values.slice(),
    spreads: columns.lists('spreads').values.slice(),
    rowOf: (name) => rows.get(name) ?? -1,
  };
}

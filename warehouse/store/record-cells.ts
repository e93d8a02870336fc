import type { Columns } from './arrow.ts';
import type { RecordCell, RecordKind } from './types.ts';

/**
 * Returns a lookup of a record's flights by slot; the lookup returns undefined if there is no record. Each call parses
 * the cells of the record.
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

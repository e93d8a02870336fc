import type { Columns } from './arrow.ts';
import type { Comparison, ComparisonKind } from './types.ts';

/** Look-up of everything of a kind that is compared with its like, in the order of keys; read when it is asked for. */
export function comparisonsReader(
  columns: Columns,
): (kind: ComparisonKind) => readonly Comparison[] {
  const kinds = columns.text('kind');
  const keys = columns.text('key');
  const counts = ['completed_count', 'delayed_count', 'other_count'].map(columns.numbers);
  const ratios = ['log_ratio', 'log_ratio_sd'].map(columns.numbers);
  const known = new Map<ComparisonKind, readonly Comparison[]>();
  const read = (wanted: ComparisonKind): Comparison[] =>
    kinds.flatMap((kind, row) => {
      if (kind !== wanted) return [];
      const [completedCount, delayedCount, otherCount] = counts.map((column) => column[row]);
      const [logRatio, logRatioSd] = ratios.map((column) => column[row]);
      const figures = { completedCount, delayedCount, otherCount, logRatio, logRatioSd };
      return [{ key: keys[row], ...figures } as Comparison];
    });
  return (kind) => {
    const rows = known.get(kind) ?? read(kind);
    known.set(kind, rows);
    return rows;
  };
}

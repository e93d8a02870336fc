import type { Columns } from './arrow.ts';
import type { Comparison, ComparisonKind } from './types.ts';

/**
 * Returns a function that looks up all comparisons of a kind, in key order. The comparisons of a kind are decoded at
 * the first look-up.
 */
export function comparisonsReader(
  columns: Columns,
): (kind: ComparisonKind) => readonly Comparison[] {
  const kinds = columns.text('kind');
  const keys = columns.text('key');
  const counts = ['completed_count', 'delayed_count', 'other_count'].map(columns.numbers);
  const ratios = ['log_ratio', 'log_ratio_sd'].map(columns.numbers);
  const cache = new Map<ComparisonKind, readonly Comparison[]>();
  const read = (requestedKind: ComparisonKind): Comparison[] =>
    kinds.flatMap((kind, row) => {
      if (kind !== requestedKind) return [];
      const [completedCount, delayedCount, otherCount] = counts.map((column) => column[row]);
      const [logRatio, logRatioSd] = ratios.map((column) => column[row]);
      const figures = { completedCount, delayedCount, otherCount, logRatio, logRatioSd };
      return [{ key: keys[row], ...figures } as Comparison];
    });
  return (kind) => {
    const rows = cache.get(kind) ?? read(kind);
    cache.set(kind, rows);
    return rows;
  };
}

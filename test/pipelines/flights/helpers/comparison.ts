import type { Comparison } from '../../../../pipelines/flights/types.ts';

type Parts = Partial<Omit<Comparison, 'held' | 'staged'>>;

/** A month of 1,000 flights on 31 days beside one just as good; what differs is given. */
export function aComparison(
  held: Partial<Comparison['held']> = {},
  staged: Partial<Comparison['staged']> = {},
  parts: Parts = {},
): Comparison {
  const extent = {
    form: 'bts_short',
    rows: 1_000,
    flights: 1_000,
    days: 31,
    airports: 2,
    airlines: 11,
  };
  return {
    held: { ...extent, source: 'held.csv', sha256: 'of held', isSingle: true, ...held },
    staged: { ...extent, source: 'staged.csv', isSingle: true, ...staged },
    uncovered: { days: 0, airports: 0, airlines: 0 },
    gone: [],
    timed: { held: 1, staged: 1 },
    arrivals: { held: 1, staged: 1 },
    ...parts,
  };
}

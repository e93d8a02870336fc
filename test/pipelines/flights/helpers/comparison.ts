import type { Comparison } from '../../../../warehouse/extract/staged-month.ts';

type Parts = Partial<Omit<Comparison, 'current' | 'staged'>>;

/** Compares two equal months of 1,000 flights on 31 days; the arguments change them. */
export function aComparison(
  current: Partial<Comparison['current']> = {},
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
    current: { ...extent, source: 'current.csv', sha256: 'of current', isSingle: true, ...current },
    staged: { ...extent, source: 'staged.csv', isSingle: true, ...staged },
    uncovered: { days: 0, airports: 0, airlines: 0 },
    lostAirlines: [],
    losses: { byDay: true, flights: 0, gained: 0, groups: [], halved: 0 },
    departureHours: { current: 1, staged: 1 },
    arrivals: { current: 1, staged: 1 },
    brands: { current: 1, staged: 1 },
    ...parts,
  };
}

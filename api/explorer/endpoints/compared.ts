import { round } from '../../../warehouse/ground/round.ts';
import type { Comparison, ComparisonKind, ScoreStore } from '../../../warehouse/store/types.ts';
import type { Compared } from '../views/places/places-data.ts';

/** Standard errors that a tenth of what is normally spread lies beyond, on both sides together. */
const NINETY = 1.645;

/** How a place compares with its like; null where there is nothing like it. */
export function comparedOf(kind: ComparisonKind, key: string, store: ScoreStore): Compared | null {
  const found = store.comparisons(kind).find((one) => one.key === key);
  return found ? comparedBody(found) : null;
}

/** Everything of a kind whose key fits, the least late first. */
export function comparedAmong(
  kind: ComparisonKind,
  fits: (key: string) => boolean,
  store: ScoreStore,
): ({ key: string } & Compared)[] {
  return store
    .comparisons(kind)
    .filter(({ key }) => fits(key))
    .toSorted((a, b) => a.logRatio - b.logRatio || (a.key < b.key ? -1 : 1))
    .map((one) => ({ key: one.key, ...comparedBody(one) }));
}

/** Both ends of a list, where it has more than twice so many. */
export function endsOf<T>(list: readonly T[], each: number): T[] {
  return list.length <= 2 * each ? [...list] : [...list.slice(0, each), ...list.slice(-each)];
}

function comparedBody(one: Comparison): Compared {
  const { completedCount, delayedCount, otherCount, logRatio, logRatioSd } = one;
  return {
    flights: completedCount,
    late: delayedCount,
    others: otherCount,
    ratio: round(Math.exp(logRatio), 6),
    low: round(Math.exp(logRatio - NINETY * logRatioSd), 6),
    high: round(Math.exp(logRatio + NINETY * logRatioSd), 6),
  };
}

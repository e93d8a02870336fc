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

/** Everything of a kind that is of those codes, the least late first. */
export function comparedAmong(
  kind: ComparisonKind,
  of: Partial<Codes>,
  store: ScoreStore,
): ComparedAmong[] {
  const wanted = Object.entries(of) as [keyof Codes, string][];
  return store
    .comparisons(kind)
    .map((one) => ({ one, codes: codesOf(kind, one.key) }))
    .filter(({ codes }) => wanted.every(([name, code]) => codes[name] === code))
    .toSorted((a, b) => a.one.logRatio - b.one.logRatio || (a.one.key < b.one.key ? -1 : 1))
    .map(({ one, codes }) => ({ codes, compared: comparedBody(one) }));
}

export type ComparedAmong = { codes: Codes; compared: Compared };

/** The codes a comparison is of; empty where it is of all. */
type Codes = { origin: string; dest: string; carrier: string };

/** What the key of each kind joins, in that order. */
const JOINED: Record<ComparisonKind, readonly (keyof Codes)[]> = {
  carrier: ['carrier'],
  origin_carrier: ['origin', 'carrier'],
  route_carrier: ['origin', 'dest', 'carrier'],
  route: ['origin', 'dest'],
  origin: ['origin'],
  dest: ['dest'],
};

const LENGTH: Record<keyof Codes, number> = { origin: 3, dest: 3, carrier: 2 };

function codesOf(kind: ComparisonKind, key: string): Codes {
  const codes = { origin: '', dest: '', carrier: '' };
  let at = 0;
  for (const name of JOINED[kind]) codes[name] = key.slice(at, (at += LENGTH[name]));
  return codes;
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

import { round } from '../../../warehouse/ground/numbers.ts';
import type { Comparison, ComparisonKind, ScoreStore } from '../../../warehouse/store/types.ts';
import type { ComparisonBody } from '../views/places/places-data.ts';

/** Half-width of a 90% interval of a normal distribution, in standard errors. */
const Z_90 = 1.645;

/** Compares an airline, airport or route with similar flights. Returns null if there are no similar flights. */
export function comparisonOf(
  kind: ComparisonKind,
  key: string,
  store: ScoreStore,
): ComparisonBody | null {
  const comparison = store.comparisons(kind).find((one) => one.key === key);
  return comparison ? comparisonBody(comparison) : null;
}

/** Lists the comparisons of one kind, least late first. The key of a listed comparison contains all given codes. */
export function listComparisons(
  kind: ComparisonKind,
  filter: Partial<Codes>,
  store: ScoreStore,
): CodedComparison[] {
  const conditions = Object.entries(filter) as [keyof Codes, string][];
  return store
    .comparisons(kind)
    .map((one) => ({ one, codes: codesOf(kind, one.key) }))
    .filter(({ codes }) => conditions.every(([name, code]) => codes[name] === code))
    .toSorted((a, b) => a.one.logRatio - b.one.logRatio || (a.one.key < b.one.key ? -1 : 1))
    .map(({ one, codes }) => ({ codes, compared: comparisonBody(one) }));
}

export type CodedComparison = { codes: Codes; compared: ComparisonBody };

/** The codes in the key of a comparison. An absent code is empty. */
export type Codes = { origin: string; dest: string; carrier: string };

/** The codes in the key of each kind, in order. */
const KEY_PARTS: Record<ComparisonKind, readonly (keyof Codes)[]> = {
  carrier: ['carrier'],
  origin_carrier: ['origin', 'carrier'],
  route_carrier: ['origin', 'dest', 'carrier'],
  brand: ['carrier'],
  origin_brand: ['origin', 'carrier'],
  route_brand: ['origin', 'dest', 'carrier'],
  route: ['origin', 'dest'],
  origin: ['origin'],
  dest: ['dest'],
};

const CODE_LENGTHS: Record<keyof Codes, number> = { origin: 3, dest: 3, carrier: 2 };

function codesOf(kind: ComparisonKind, key: string): Codes {
  const codes = { origin: '', dest: '', carrier: '' };
  let at = 0;
  for (const name of KEY_PARTS[kind]) codes[name] = key.slice(at, (at += CODE_LENGTHS[name]));
  return codes;
}

/** Returns `each` items from both ends of a list. A short list is returned whole. */
export function bothEnds<T>(list: readonly T[], each: number): T[] {
  return list.length <= 2 * each ? [...list] : [...list.slice(0, each), ...list.slice(-each)];
}

function comparisonBody(one: Comparison): ComparisonBody {
  const { completedCount, delayedCount, otherCount, logRatio, logRatioSd } = one;
  return {
    flights: completedCount,
    late: delayedCount,
    others: otherCount,
    ratio: round(Math.exp(logRatio), 6),
    low: round(Math.exp(logRatio - Z_90 * logRatioSd), 6),
    high: round(Math.exp(logRatio + Z_90 * logRatioSd), 6),
  };
}

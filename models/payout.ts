import { probabilityOver, type DelayCurve, type CurveBand } from './delay-curve.ts';

/** A condition of a payout: a delay of more than these minutes, a cancellation or a diversion. */
export type PayoutCondition = number | 'cancelled' | 'diverted';

/** Pays `amount` when the condition is met. */
export type PayoutTerm = { condition: PayoutCondition; amount: number };

export type Payout = {
  expected: number;
  standardDeviation: number;
  /** 90 % band of the expected payout. */
  low: number;
  high: number;
  /** For each term, the probability that this term pays, in the order of the terms. */
  probabilities: number[];
};

/**
 * Returns the expected payout for one flight, with its standard deviation and band. A flight pays once: a late flight
 * pays the term with the longest delay that the flight exceeds.
 */
export function payoutOf(terms: readonly PayoutTerm[], { curve, low, high }: CurveBand): Payout {
  const probabilities = probabilitiesOf(terms, curve);
  let [expected, square] = [0, 0];
  for (const [at, { amount }] of terms.entries()) {
    const probability = probabilities[at] as number;
    expected += amount * probability;
    square += amount * amount * probability;
  }
  const [lowest, highest] = boundsOf(terms, low, high);
  return {
    expected,
    standardDeviation: Math.sqrt(Math.max(0, square - expected * expected)),
    low: Math.min(expected, lowest),
    high: Math.max(expected, highest),
    probabilities,
  };
}

function probabilitiesOf(terms: readonly PayoutTerm[], curve: DelayCurve): number[] {
  const delays = delaysOf(terms);
  return terms.map(({ condition }) => {
    if (typeof condition !== 'number') return curve[condition];
    const next = delays[delays.indexOf(condition) + 1];
    return (
      probabilityOver(curve, condition) - (next === undefined ? 0 : probabilityOver(curve, next))
    );
  });
}

/**
 * Returns the expected payouts at both ends of the band. The step of a delay is its amount minus the amount of the next
 * shorter delay. The amount for a delayed flight is the sum of the steps of all delays that the flight exceeds. At the
 * low end of the payout, a positive step uses the low curve, and a negative step uses the high curve.
 */
function boundsOf(
  terms: readonly PayoutTerm[],
  low: DelayCurve,
  high: DelayCurve,
): [number, number] {
  const amounts = new Map(terms.map(({ condition, amount }) => [condition, amount]));
  const delays = delaysOf(terms);
  let [lowest, highest] = [0, 0];
  for (const condition of amounts.keys()) {
    const shorter =
      typeof condition === 'number' ? delays[delays.indexOf(condition) - 1] : undefined;
    const step =
      (amounts.get(condition) ?? 0) - (shorter === undefined ? 0 : (amounts.get(shorter) ?? 0));
    const [from, until] = [low, high].map((curve) =>
      typeof condition === 'number' ? probabilityOver(curve, condition) : curve[condition],
    ) as [number, number];
    lowest += step * (step > 0 ? from : until);
    highest += step * (step > 0 ? until : from);
  }
  return [Math.max(0, lowest), highest];
}

/** The delays of the terms, ascending. */
function delaysOf(terms: readonly PayoutTerm[]): number[] {
  return terms
    .flatMap(({ condition }) => (typeof condition === 'number' ? [condition] : []))
    .toSorted((a, b) => a - b);
}

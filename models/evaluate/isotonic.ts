import { expit, logit } from '../log-odds.ts';
import type { Case } from './metrics.ts';

/** A step of a rising curve: from this score on, that probability. */
export type Step = { score: number; probability: number };

/**
 * The rising steps that come closest, in squares, to the shares delayed at each score (`p` of a case is the score):
 * neighbours out of order are pooled. Each step rests on at least that many flights, but for the last.
 */
export function isotonicSteps(cases: Case[], fewest = 1): Step[] {
  let lastScore = Number.NaN;
  const pools: { score: number; flights: number; delayed: number }[] = [];
  for (const { p, flights, delayed } of cases.toSorted((a, b) => a.p - b.p)) {
    const last = pools.at(-1);
    if (last && (last.flights < fewest || p === lastScore)) {
      last.flights += flights;
      last.delayed += delayed;
    } else {
      pools.push({ score: p, flights, delayed });
    }
    lastScore = p;
  }
  const steps: typeof pools = [];
  for (const pool of pools) {
    let { score, flights, delayed } = pool;
    for (let last = steps.at(-1); last; last = steps.at(-1)) {
      if (last.delayed / last.flights < delayed / flights) break;
      score = last.score;
      flights += last.flights;
      delayed += last.delayed;
      steps.pop();
    }
    steps.push({ score, flights, delayed });
  }
  return steps.map(({ score, flights, delayed }) => ({ score, probability: delayed / flights }));
}

/** The probability at a score: that of the last step at or below it, or of the first. */
export function probabilityAt(steps: Step[], score: number): number {
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((steps[middle]?.score ?? Infinity) <= score) low = middle;
    else high = middle - 1;
  }
  return steps[low]?.probability ?? Number.NaN;
}

/** The steps moved together, in log-odds; one that was certain becomes almost so, as no share is. */
export function shifted(steps: Step[], by: number): Step[] {
  return steps.map(({ score, probability }) => {
    const held = Math.min(1 - ALMOST, Math.max(ALMOST, probability));
    return { score, probability: expit(logit(held) + by) };
  });
}

const ALMOST = 0.001;

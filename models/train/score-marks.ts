import { LINEAR_SHARE, mlShare } from '../blend.ts';
import { lineOf, type Mark } from '../points.ts';
import { expit, logit } from '../../warehouse/ground/log-odds.ts';

/**
 * Flights with similar odds and a confidence of 0.5 or more, scored by a model that was not trained on these flights.
 */
export type MarkCase = {
  /** Statistical log-odds of being delayed or cancelled. */
  logOdds: number;
  mlProbability: number;
  flights: number;
  /** Number of flights delayed or cancelled. */
  disrupted: number;
};

export type ScoreMarks = { withModel: Mark; alone: Mark };

/** For each target score, the share of flights that should be delayed or cancelled (`rate`). */
export const TARGETS = [
  { score: 30, rate: 0.08 },
  { score: 55, rate: 0.17 },
  { score: 75, rate: 0.33 },
] as const;

/** The share at a score is estimated from flights within this number of points. Nearer flights have more weight. */
const NEAR_POINTS = 5;

/** Minimum number of a fold's flights near a score. With fewer flights, the fold is ignored for that score. */
const MIN_FLIGHTS = 1_000;

/**
 * Fits the marks so that unseen flights have the target rates on average over the folds. Each fold has equal weight.
 * The marks without a model are chosen so that scores change as little as possible if the model is switched off.
 */
export function fitMarks(folds: MarkCase[][]): ScoreMarks {
  const binned = folds.map(binsOf);
  const withModel = searchMark((mark) => squaredMissOf(binned, mark), {
    zeroRate: 0.022,
    pointsPerDoubling: 15,
  });
  return { withModel, alone: nearestLine(binned, withModel) };
}

/**
 * Returns the observed minus the target log-odds for each target score, averaged over the folds. NaN if no fold has
 * enough flights.
 */
export function missesOf(folds: MarkCase[][], mark: Mark): number[] {
  return TARGETS.map(({ score, rate }) => {
    const misses = folds.flatMap((fold) => {
      const share = shareAt(fold, mark, score);
      return share === undefined ? [] : [logit(share) - logit(rate)];
    });
    return misses.reduce((sum, miss) => sum + miss, 0) / misses.length;
  });
}

function squaredMissOf(folds: MarkCase[][], mark: Mark): number {
  return missesOf(folds, mark).reduce((sum, miss) => sum + miss ** 2, 0);
}

/** Share of the flights near a score that were delayed or cancelled; undefined with too few flights. */
function shareAt(fold: MarkCase[], mark: Mark, score: number): number | undefined {
  let [flights, disrupted, nearFlights] = [0, 0, 0];
  for (const one of fold) {
    const weight = 1 - Math.abs(scoreOf(one, mark) - score) / NEAR_POINTS;
    if (weight <= 0) continue;
    nearFlights += one.flights;
    flights += weight * one.flights;
    disrupted += weight * one.disrupted;
  }
  return nearFlights < MIN_FLIGHTS || disrupted === 0 ? undefined : disrupted / flights;
}

function scoreOf({ logOdds, mlProbability }: MarkCase, mark: Mark): number {
  const { zero, slope } = lineOf(mark);
  const statistical = Math.min(100 * LINEAR_SHARE, Math.max(0, slope * (logOdds - zero)));
  return statistical + 100 * mlShare(1) * mlProbability;
}

/** First step size of each parameter, and the relative step size at which the search ends. */
const FIRST_STEP = { zero: 0.2, points: 1 };
const MIN_STEP = 1 / 64;

/** Finds the mark with the smallest miss. Halves the step sizes when no step improves the mark. */
function searchMark(miss: (mark: Mark) => number, start: Mark): Mark {
  let best = { mark: start, miss: miss(start) };
  for (let step = 1; step >= MIN_STEP;) {
    const { zeroRate, pointsPerDoubling } = best.mark;
    const candidates = [-1, 0, 1].flatMap((a) =>
      [-1, 0, 1].map((b) => ({
        zeroRate: zeroRate * Math.exp(a * step * FIRST_STEP.zero),
        pointsPerDoubling: pointsPerDoubling + b * step * FIRST_STEP.points,
      })),
    );
    const nearest = candidates
      .map((mark) => ({ mark, miss: miss(mark) }))
      .reduce((least, one) => (one.miss < least.miss ? one : least), best);
    if (nearest.mark === best.mark) step /= 2;
    best = nearest;
  }
  return best.mark;
}

/**
 * Fits a straight line, by least squares, to the scores that flights get with a model. Scores without a model use this
 * line.
 */
function nearestLine(folds: MarkCase[][], withModel: Mark): Mark {
  const sums = { w: 0, x: 0, y: 0, xx: 0, xy: 0 };
  for (const fold of folds) {
    const total = fold.reduce((sum, { flights }) => sum + flights, 0);
    for (const one of fold) {
      const [w, x, y] = [one.flights / total, one.logOdds, scoreOf(one, withModel)];
      sums.w += w;
      sums.x += w * x;
      sums.y += w * y;
      sums.xx += w * x * x;
      sums.xy += w * x * y;
    }
  }
  const { w, x, y, xx, xy } = sums;
  const slope = (w * xy - x * y) / (w * xx - x * x);
  const zero = x / w - y / w / slope;
  return { zeroRate: expit(zero), pointsPerDoubling: slope * Math.LN2 };
}

/** Width of the log-odds bins. Bins save time, because the search visits all flights several hundred times. */
const STEP = 0.02;

function binsOf(cases: MarkCase[]): MarkCase[] {
  const bins = Map.groupBy(cases, ({ logOdds }) => Math.round(logOdds / STEP));
  return [...bins.values()].map((binCases) => {
    const sum = (valueOf: (one: MarkCase) => number) =>
      binCases.reduce((all, one) => all + valueOf(one), 0);
    const flights = sum((one) => one.flights);
    return {
      logOdds: sum((one) => one.flights * one.logOdds) / flights,
      mlProbability: sum((one) => one.flights * one.mlProbability) / flights,
      flights,
      disrupted: sum((one) => one.disrupted),
    };
  });
}

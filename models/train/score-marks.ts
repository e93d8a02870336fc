import { LINEAR_SHARE, mlShare } from '../blend.ts';
import { lineOf, type Mark } from '../points.ts';
import { expit, logit } from '../../warehouse/ground/log-odds.ts';

/** Flights of like odds that were not known when they were scored, at a confidence of one half or more. */
export type MarkCase = {
  /** Of being delayed or cancelled, by the statistics. */
  logOdds: number;
  mlProbability: number;
  flights: number;
  /** Delayed or cancelled. */
  disrupted: number;
};

export type ScoreMarks = { withModel: Mark; alone: Mark };

/** What a score is to mean: of flights that have it, so many are delayed or cancelled. */
export const MEANT = [
  { score: 30, rate: 0.08 },
  { score: 55, rate: 0.17 },
  { score: 75, rate: 0.33 },
] as const;

/** Flights so many points from a score still tell of it, those nearer more. */
const NEAR_POINTS = 5;

/** Fewer flights near a score tell nothing of it. */
const FEWEST = 1_000;

/**
 * The marks at which unseen flights of the folds have, on average over folds, the rates that are meant; each fold counts
 * alike. Without the model they are those that move the flights' scores least when it is switched off.
 */
export function fitMarks(folds: MarkCase[][]): ScoreMarks {
  const binned = folds.map(binsOf);
  const withModel = searched((mark) => missOf(binned, mark), {
    zeroRate: 0.022,
    pointsPerDoubling: 15,
  });
  return { withModel, alone: nearestLine(binned, withModel) };
}

/** How far, in log-odds, what came at each score lies from what is meant: the mean over folds; NaN where none tells. */
export function missesOf(folds: MarkCase[][], mark: Mark): number[] {
  return MEANT.map(({ score, rate }) => {
    const misses = folds.flatMap((fold) => {
      const share = shareAt(fold, mark, score);
      return share === undefined ? [] : [logit(share) - logit(rate)];
    });
    return misses.reduce((sum, miss) => sum + miss, 0) / misses.length;
  });
}

function missOf(folds: MarkCase[][], mark: Mark): number {
  return missesOf(folds, mark).reduce((sum, miss) => sum + miss ** 2, 0);
}

/** Share of the flights near a score that were delayed or cancelled; undefined where they are few. */
function shareAt(fold: MarkCase[], mark: Mark, score: number): number | undefined {
  let [flights, disrupted, near] = [0, 0, 0];
  for (const one of fold) {
    const weight = 1 - Math.abs(scoreOf(one, mark) - score) / NEAR_POINTS;
    if (weight <= 0) continue;
    near += one.flights;
    flights += weight * one.flights;
    disrupted += weight * one.disrupted;
  }
  return near < FEWEST || disrupted === 0 ? undefined : disrupted / flights;
}

function scoreOf({ logOdds, mlProbability }: MarkCase, mark: Mark): number {
  const { zero, slope } = lineOf(mark);
  const statistical = Math.min(100 * LINEAR_SHARE, Math.max(0, slope * (logOdds - zero)));
  return statistical + 100 * mlShare(1) * mlProbability;
}

/** Steps of both parameters, and how fine the search ends. */
const FIRST_STEP = { zero: 0.2, points: 1 };
const FINEST = 1 / 64;

/** The mark of least miss, by steps that are halved where none helps. */
function searched(miss: (mark: Mark) => number, start: Mark): Mark {
  let best = { mark: start, miss: miss(start) };
  for (let step = 1; step >= FINEST;) {
    const { zeroRate, pointsPerDoubling } = best.mark;
    const around = [-1, 0, 1].flatMap((a) =>
      [-1, 0, 1].map((b) => ({
        zeroRate: zeroRate * Math.exp(a * step * FIRST_STEP.zero),
        pointsPerDoubling: pointsPerDoubling + b * step * FIRST_STEP.points,
      })),
    );
    const found = around
      .map((mark) => ({ mark, miss: miss(mark) }))
      .reduce((least, one) => (one.miss < least.miss ? one : least), best);
    if (found.mark === best.mark) step /= 2;
    best = found;
  }
  return best.mark;
}

/** The line without a model that lies nearest to the scores with one, by least squares. */
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

/** Log-odds in steps of so much: the search goes over the flights some hundred times. */
const STEP = 0.02;

function binsOf(cases: MarkCase[]): MarkCase[] {
  const bins = Map.groupBy(cases, ({ logOdds }) => Math.round(logOdds / STEP));
  return [...bins.values()].map((some) => {
    const sum = (of: (one: MarkCase) => number) => some.reduce((all, one) => all + of(one), 0);
    const flights = sum((one) => one.flights);
    return {
      logOdds: sum((one) => one.flights * one.logOdds) / flights,
      mlProbability: sum((one) => one.flights * one.mlProbability) / flights,
      flights,
      disrupted: sum((one) => one.disrupted),
    };
  });
}

import { sum } from '../../warehouse/ground/numbers.ts';
import { brierOf, logLossOf } from './metrics.ts';

/** Two forecasts for a group of similar flights, and their outcomes. */
export type PairedCase = {
  /** The day or month of the flights, used to estimate noise: flights of one day share their weather. */
  cluster: string;
  flights: number;
  delayed: number;
  ours: number;
  theirs: number;
};

/**
 * A figure for our forecast, the same figure for the forecast that we compare with (`theirs`), the difference (ours
 * minus theirs), and the standard error of this difference (`noise`).
 */
export type PairedFigure = { ours: number; theirs: number; difference: number; noise: number };

export type PairedFigures = {
  n: number;
  /** Days or months. */
  clusters: number;
  auc: PairedFigure;
  brier: PairedFigure;
  logLoss: PairedFigure;
};

/**
 * Compares two forecasts of the same flights. The noise is the jackknife standard error: each figure is computed again
 * with one day or month left out, for every day or month. The noise is NaN with fewer than two days or months. AUC is
 * NaN if all flights, or no flights, were delayed.
 */
export function pairedFigures(cases: PairedCase[]): PairedFigures {
  const names = [...new Set(cases.map(({ cluster }) => cluster))];
  const at = new Map(names.map((name, index) => [name, index]));
  const groups = {
    indexes: cases.map(({ cluster }) => at.get(cluster) as number),
    count: names.length,
  };
  const compareFigure = (figure: Figure) =>
    compare(
      figure(cases, ({ ours }) => ours, groups),
      figure(cases, ({ theirs }) => theirs, groups),
    );
  return {
    n: cases.reduce((sum, { flights }) => sum + flights, 0),
    clusters: names.length,
    auc: compareFigure(aucFigure),
    brier: compareFigure(meanLoss(brierOf)),
    logLoss: compareFigure(meanLoss(logLossOf)),
  };
}

/** A figure over all cases, and the same figure with each cluster left out in turn. */
type FigureValues = { overall: number; leaveOneOut: Float64Array };
/** For each case, the index of its cluster. */
type Clusters = { indexes: number[]; count: number };
type Figure = (
  cases: PairedCase[],
  forecastOf: (one: PairedCase) => number,
  clusters: Clusters,
) => FigureValues;

function compare(ours: FigureValues, theirs: FigureValues): PairedFigure {
  const differences = ours.leaveOneOut.map(
    (figure, at) => figure - (theirs.leaveOneOut[at] as number),
  );
  const count = differences.length;
  const mean = sum(differences) / count;
  const squares = sum(differences.map((one) => (one - mean) ** 2));
  return {
    ours: ours.overall,
    theirs: theirs.overall,
    difference: ours.overall - theirs.overall,
    noise: count < 2 ? Number.NaN : Math.sqrt((squares * (count - 1)) / count),
  };
}

/** Returns a figure: the mean loss of a forecast per flight. */
function meanLoss(lossOf: (p: number, share: number) => number): Figure {
  return (cases, forecastOf, clusters) => {
    const [losses, flights] = [new Float64Array(clusters.count), new Float64Array(clusters.count)];
    for (const [at, one] of cases.entries()) {
      const cluster = clusters.indexes[at] as number;
      add(losses, cluster, one.flights * lossOf(forecastOf(one), one.delayed / one.flights));
      add(flights, cluster, one.flights);
    }
    const [loss, all] = [sum(losses), sum(flights)];
    const leaveOneOut = losses.map((own, at) => (loss - own) / (all - (flights[at] as number)));
    return { overall: loss / all, leaveOneOut };
  };
}

/**
 * AUC: the share of pairs (delayed flight, flight on time) in which the delayed flight has the higher forecast. To
 * leave out a cluster, the function subtracts all pairs that contain one of its flights.
 */
const aucFigure: Figure = (cases, forecastOf, clusters) => {
  const clusterZeros = () => new Float64Array(clusters.count);
  const [delayed, onTime] = [clusterZeros(), clusterZeros()];
  for (const [at, one] of cases.entries()) {
    add(delayed, clusters.indexes[at] as number, one.delayed);
    add(onTime, clusters.indexes[at] as number, one.flights - one.delayed);
  }
  const [allDelayed, allOnTime] = [sum(delayed), sum(onTime)];
  // Pairs in which the delayed flight has the higher forecast. Each cluster has three counts of pairs: the delayed
  // flight is in the cluster, the flight on time is in the cluster, or both flights are in the cluster.
  const [wonPairs, lostPairs, ownPairs] = [clusterZeros(), clusterZeros(), clusterZeros()];
  const totalsBelow = { delayed: 0, onTime: 0, ownOnTime: clusterZeros() };
  for (const tie of tiesOf(cases, forecastOf)) {
    const tieTotals = { delayed: 0, onTime: 0, ownOnTime: new Map<number, number>() };
    for (const at of tie) {
      const { flights, delayed: late } = cases[at] as PairedCase;
      const cluster = clusters.indexes[at] as number;
      tieTotals.delayed += late;
      tieTotals.onTime += flights - late;
      tieTotals.ownOnTime.set(cluster, (tieTotals.ownOnTime.get(cluster) ?? 0) + flights - late);
    }
    const delayedAbove = allDelayed - totalsBelow.delayed - tieTotals.delayed;
    for (const at of tie) {
      const { flights, delayed: late } = cases[at] as PairedCase;
      const cluster = clusters.indexes[at] as number;
      const own =
        (totalsBelow.ownOnTime[cluster] as number) + (tieTotals.ownOnTime.get(cluster) ?? 0) / 2;
      add(wonPairs, cluster, late * (totalsBelow.onTime + tieTotals.onTime / 2));
      add(lostPairs, cluster, (flights - late) * (delayedAbove + tieTotals.delayed / 2));
      add(ownPairs, cluster, late * own);
    }
    totalsBelow.delayed += tieTotals.delayed;
    totalsBelow.onTime += tieTotals.onTime;
    for (const [cluster, count] of tieTotals.ownOnTime) add(totalsBelow.ownOnTime, cluster, count);
  }
  const allPairs = sum(wonPairs);
  const leaveOneOut = wonPairs.map((own, at) => {
    const remainingPairs = allPairs - own - (lostPairs[at] as number) + (ownPairs[at] as number);
    return (
      remainingPairs /
      ((allDelayed - (delayed[at] as number)) * (allOnTime - (onTime[at] as number)))
    );
  });
  return { overall: allPairs / (allDelayed * allOnTime), leaveOneOut };
};

/** Yields the indexes of the cases with equal forecasts, from the lowest forecast to the highest. */
function* tiesOf(
  cases: PairedCase[],
  forecastOf: (one: PairedCase) => number,
): Generator<Int32Array> {
  const values = Float64Array.from(cases, forecastOf);
  const order = Int32Array.from(cases.keys()).toSorted(
    (a, b) => (values[a] as number) - (values[b] as number),
  );
  for (let from = 0; from < order.length;) {
    const value = values[order[from] as number];
    let until = from + 1;
    while (until < order.length && values[order[until] as number] === value) until += 1;
    yield order.subarray(from, until);
    from = until;
  }
}

function add(to: Float64Array, at: number, amount: number): void {
  to[at] = (to[at] as number) + amount;
}

import { sum } from '../../warehouse/ground/sum.ts';
import { brierOf, logLossOf } from './metrics.ts';

/** Two forecasts for a group of like flights, and what became of them. */
export type PairedCase = {
  /** The day or month the noise is told by: flights of one share their weather. */
  cluster: string;
  flights: number;
  delayed: number;
  ours: number;
  theirs: number;
};

/** A figure of both, and ours less theirs with the standard error of that. */
export type Compared = { ours: number; theirs: number; difference: number; noise: number };

export type PairedFigures = {
  n: number;
  /** Days or months. */
  clusters: number;
  auc: Compared;
  brier: Compared;
  logLoss: Compared;
};

/**
 * Two forecasts on the very same flights. The noise is the jackknife's: every figure is taken anew without each day or
 * month in turn. It is NaN where there are not two of them; AUC is where all flights were delayed, or none.
 */
export function pairedFigures(cases: PairedCase[]): PairedFigures {
  const names = [...new Set(cases.map(({ cluster }) => cluster))];
  const at = new Map(names.map((name, index) => [name, index]));
  const groups = { of: cases.map(({ cluster }) => at.get(cluster) as number), count: names.length };
  const of = (figure: Figure) =>
    compared(
      figure(cases, ({ ours }) => ours, groups),
      figure(cases, ({ theirs }) => theirs, groups),
    );
  return {
    n: cases.reduce((sum, { flights }) => sum + flights, 0),
    clusters: names.length,
    auc: of(areas),
    brier: of(means(brierOf)),
    logLoss: of(means(logLossOf)),
  };
}

/** A figure of all cases, and of all but those of each cluster. */
type Figured = { whole: number; without: Float64Array };
/** The cluster of each case, by its place. */
type Clusters = { of: number[]; count: number };
type Figure = (cases: PairedCase[], said: (one: PairedCase) => number, by: Clusters) => Figured;

function compared(ours: Figured, theirs: Figured): Compared {
  const differences = ours.without.map((figure, at) => figure - (theirs.without[at] as number));
  const count = differences.length;
  const mean = sum(differences) / count;
  const squares = sum(differences.map((one) => (one - mean) ** 2));
  return {
    ours: ours.whole,
    theirs: theirs.whole,
    difference: ours.whole - theirs.whole,
    noise: count < 2 ? Number.NaN : Math.sqrt((squares * (count - 1)) / count),
  };
}

/** Mean of a loss that a forecast has where a share was delayed. */
function means(lossOf: (p: number, share: number) => number): Figure {
  return (cases, said, by) => {
    const [losses, flights] = [new Float64Array(by.count), new Float64Array(by.count)];
    for (const [at, one] of cases.entries()) {
      const cluster = by.of[at] as number;
      add(losses, cluster, one.flights * lossOf(said(one), one.delayed / one.flights));
      add(flights, cluster, one.flights);
    }
    const [loss, all] = [sum(losses), sum(flights)];
    const without = losses.map((own, at) => (loss - own) / (all - (flights[at] as number)));
    return { whole: loss / all, without };
  };
}

/** AUC: of the pairs of a delayed flight and one on time, those in which the delayed one has the higher forecast. */
const areas: Figure = (cases, said, by) => {
  const per = () => new Float64Array(by.count);
  const [delayed, onTime] = [per(), per()];
  for (const [at, one] of cases.entries()) {
    add(delayed, by.of[at] as number, one.delayed);
    add(onTime, by.of[at] as number, one.flights - one.delayed);
  }
  const [allDelayed, allOnTime] = [sum(delayed), sum(onTime)];
  // Pairs won by the delayed flights of a cluster, lost by those of it on time, and both within it.
  const [won, lost, within] = [per(), per(), per()];
  const below = { delayed: 0, onTime: 0, ownOnTime: per() };
  for (const tie of tiesOf(cases, said)) {
    const tied = { delayed: 0, onTime: 0, ownOnTime: new Map<number, number>() };
    for (const at of tie) {
      const { flights, delayed: late } = cases[at] as PairedCase;
      const cluster = by.of[at] as number;
      tied.delayed += late;
      tied.onTime += flights - late;
      tied.ownOnTime.set(cluster, (tied.ownOnTime.get(cluster) ?? 0) + flights - late);
    }
    const above = allDelayed - below.delayed - tied.delayed;
    for (const at of tie) {
      const { flights, delayed: late } = cases[at] as PairedCase;
      const cluster = by.of[at] as number;
      const own = (below.ownOnTime[cluster] as number) + (tied.ownOnTime.get(cluster) ?? 0) / 2;
      add(won, cluster, late * (below.onTime + tied.onTime / 2));
      add(lost, cluster, (flights - late) * (above + tied.delayed / 2));
      add(within, cluster, late * own);
    }
    below.delayed += tied.delayed;
    below.onTime += tied.onTime;
    for (const [cluster, count] of tied.ownOnTime) add(below.ownOnTime, cluster, count);
  }
  const all = sum(won);
  const without = won.map((own, at) => {
    const left = all - own - (lost[at] as number) + (within[at] as number);
    return left / ((allDelayed - (delayed[at] as number)) * (allOnTime - (onTime[at] as number)));
  });
  return { whole: all / (allDelayed * allOnTime), without };
};

/** Places of the cases of one forecast, forecasts ascending. */
function* tiesOf(cases: PairedCase[], said: (one: PairedCase) => number): Generator<Int32Array> {
  const values = Float64Array.from(cases, said);
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

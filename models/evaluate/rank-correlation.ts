/**
 * Spearman's rank correlation of two series, -1 to 1; equal values share the mean of their ranks. NaN when a series is
 * constant.
 */
export function rankCorrelation(a: number[], b: number[]): number {
  const [ranksA, ranksB] = [ranksOf(a), ranksOf(b)];
  const middle = (a.length - 1) / 2;
  let [covariance, varianceA, varianceB] = [0, 0, 0];
  for (const [at, rank] of ranksA.entries()) {
    const [x, y] = [rank - middle, (ranksB[at] as number) - middle];
    covariance += x * y;
    varianceA += x * x;
    varianceB += y * y;
  }
  return covariance / Math.sqrt(varianceA * varianceB);
}

function ranksOf(values: number[]): number[] {
  const order = Array.from(values.keys()).toSorted((i, j) => at(values, i) - at(values, j));
  const ranks = values.map(() => 0);
  for (let from = 0; from < order.length;) {
    let until = from + 1;
    const value = at(values, at(order, from));
    while (until < order.length && at(values, at(order, until)) === value) until += 1;
    for (let place = from; place < until; place++) ranks[at(order, place)] = (from + until - 1) / 2;
    from = until;
  }
  return ranks;
}

function at(values: number[], index: number): number {
  return values[index] as number;
}

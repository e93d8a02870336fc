/** Log-odds of a rate strictly between 0 and 1. */
export function logit(rate: number): number {
  return Math.log(rate / (1 - rate));
}

/** Rate of the log-odds; the inverse of `logit`. */
export function expit(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Beyond the log-odds of any rate there is; float32 still tells its probability from 0. */
const FURTHEST = 20;

const HALVINGS = 60;

/**
 * What has to be added to the log-odds of all trials for so many successes to be expected; -`furthest` where there are
 * none, and `furthest` where there is nothing else.
 */
export function interceptFor(
  successes: number,
  logOdds: Float64Array,
  trials: Float64Array,
  furthest: number = FURTHEST,
): number {
  let [low, high] = [-furthest, furthest];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    let expected = 0;
    for (const [at, value] of logOdds.entries()) {
      expected += (trials[at] as number) * expit(middle + value);
    }
    if (expected < successes) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the log-odds of a rate strictly between 0 and 1. */
export function logit(rate: number): number {
  return Math.log(rate / (1 - rate));
}

/** Returns the rate for given log-odds; the inverse of `logit`. */
export function expit(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/**
 * Limit of log-odds. The log-odds of real rates never reach this limit. The probability at minus this limit is still
 * above 0 in float32.
 */
const MAX_LOG_ODDS = 20;

const HALVINGS = 60;

/**
 * Returns the intercept: the number to add to the log-odds of all trials so that the expected successes equal
 * `successes`. Returns -`bound` if no trial succeeded, and `bound` if all trials succeeded.
 */
export function interceptFor(
  successes: number,
  logOdds: Float64Array,
  trials: Float64Array,
  bound: number = MAX_LOG_ODDS,
): number {
  let [low, high] = [-bound, bound];
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

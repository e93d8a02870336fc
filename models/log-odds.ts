/** Log-odds of a rate strictly between 0 and 1. */
export function logit(rate: number): number {
  return Math.log(rate / (1 - rate));
}

/** Rate of the log-odds; the inverse of `logit`. */
export function expit(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

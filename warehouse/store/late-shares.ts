import fitted from './late-shares.json' with { type: 'json' };

/**
 * A delay for which a source does not count the flights. The number of flights with this delay is inferred as a share
 * of the flights with a shorter delay.
 */
export type InferredDelay = {
  /** Minutes of the inferred delay. */
  minutes: number;
  /** Minutes of the shorter delay. */
  of: number;
  /** Share of the flights with the shorter delay that also have the inferred delay, 0 to 1. */
  share: number;
  /** Root mean square error of `share` for a provider that was left out of the fit. */
  error: number;
};

/** Every delay that can be inferred, ascending; fitted by `npm run fit -- late-shares`. */
export const INFERRED_DELAYS: readonly InferredDelay[] = fitted.shares;

/** Mean delay of flights more than 30 minutes late at providers that count minutes. */
export const MEAN_LATE_MINUTES = fitted.meanMinutes;

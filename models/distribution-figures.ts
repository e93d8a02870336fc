import { z } from 'zod';

const number = z.number();
const count = z.number().min(0);

/**
 * A figure of our distribution, the same figure of the reference (`plain`), the difference between the two, and the
 * standard error of this difference (`noise`).
 */
const pairedScore = z.object({ ours: number, plain: number, difference: number, noise: number });

/**
 * Flights with similar forecasts: the number of flights, the forecast share and the actual share of flights with the
 * outcome.
 */
const bins = z.array(z.object({ flights: count, forecast: number, observed: number }));

/** Expected and actual payout per flight of a group. */
const payoutRow = z.object({ group: z.string(), flights: count, expected: number, actual: number });

/**
 * Share of flights more than two hours late among the late flights of an airline: the forecast and the actual share.
 */
const longDelayRow = z.object({
  airline: z.string(),
  late: count,
  forecast: number,
  actual: number,
});

/**
 * Accuracy of the forecast distributions of delays on unseen months; part of the model's metadata. The reference is a
 * simpler forecast, which divides the late flights of every airline and route in the same proportions.
 */
export const distributionFigures = z.object({
  /** Completed flights with a forecast. */
  n: count,
  /** Continuous ranked probability score in minutes, over delays from 15 to 360 minutes. */
  crps: pairedScore,
  /** Log loss of the forecast classes of delay above 30 minutes, per late flight. */
  lateClasses: pairedScore,
  /** Log loss of the forecast of cancellation, per flight. */
  cancelled: pairedScore,
  /**
   * Forecast and actual shares of four outcomes. The flights are sorted by their forecast and divided into ten equal
   * groups.
   */
  reliability: z.object({ over_60: bins, over_120: bins, over_180: bins, cancelled: bins }),
  longDelays: z.array(longDelayRow),
  payout: z.object({
    /** Terms of the payouts, written as in the parameter `payout`. */
    terms: z.string(),
    airlines: z.array(payoutRow),
    months: z.array(payoutRow),
  }),
});

export type DistributionFigures = z.infer<typeof distributionFigures>;
export type PairedScore = z.infer<typeof pairedScore>;
export type PayoutRow = z.infer<typeof payoutRow>;
export type LongDelayRow = z.infer<typeof longDelayRow>;

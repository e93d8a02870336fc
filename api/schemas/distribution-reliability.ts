import { z } from 'zod';
import { count, measure, share } from './field.ts';

/**
 * Returns the schema of one measure of forecast quality. `reference` is the same measure for a simpler forecast, which
 * gives all late flights the same distribution of delays.
 */
const comparison = (unit: 'minutes' | 'nats', what: string) =>
  z
    .strictObject({
      value: measure(unit).describe('With the distribution of each flight.'),
      reference: measure(unit).describe(
        'With the same distribution of delays for all late flights.',
      ),
      difference: measure(unit).describe('`value` minus `reference`; below 0 is better.'),
      standard_error: measure(unit).describe('Standard error of the difference.'),
    })
    .describe(what);

const tenths = (what: string) =>
  z
    .array(
      z.strictObject({
        flights: measure('flights').min(0).describe('Number of flights.'),
        forecast: share.describe('Mean forecast.'),
        actual: share.describe('Actual share.'),
      }),
    )
    .describe(`${what}, by tenth of the forecast.`);

const payouts = (group: string) =>
  z
    .array(
      z.strictObject({
        [group]: z.string().describe('Group of flights.'),
        flights: count('flights').describe('Number of flights.'),
        expected: measure('amount').describe('Expected payout per flight.'),
        actual: measure('amount').describe('Actual payout per flight.'),
      }),
    )
    .describe(`Expected and actual payout per flight, by ${group}.`);

/** Field `distribution_reliability` of `/api/model`. */
export const distributionReliability = z
  .strictObject({
    flights: count('flights').describe('Number of completed flights.'),
    crps: comparison('minutes', 'Continuous ranked probability score.'),
    late_classes_log_loss: comparison('nats', 'Log loss of the classes beyond 30 minutes.'),
    cancelled_log_loss: comparison(
      'nats',
      'Log loss of cancellations; the reference is the rate of the route.',
    ),
    over_60: tenths('More than 60 minutes late'),
    over_120: tenths('More than 120 minutes late'),
    over_180: tenths('More than 180 minutes late'),
    cancelled: tenths('Cancelled'),
    payout_terms: z.string().describe('Terms of the payouts, as in the parameter `payout`.'),
    payout_by_airline: payouts('airline'),
    payout_by_month: payouts('month'),
  })
  .nullable()
  .describe(
    'Delay distributions, cancellations and payouts on unseen months; null if the training of the model did not report them.',
  );

export type DistributionReliability = z.infer<typeof distributionReliability>;

import { z } from 'zod';
import { count, measure, monthName, openEnum, share } from './field.ts';
import { scoreReliabilityBody } from './score-reliability.ts';

/** States of the accuracy of a record. Some answers contain only this state, without the figures. */
export const accuracyState = openEnum(['passed', 'failed', 'unmeasured']);

const figures = z.strictObject({
  flights: count('flights').describe('Number of completed flights.'),
  forecast: share.describe('Mean forecast probability of a delay over 30 minutes.'),
  actual: share.describe('Actual share of these delays.'),
  auc: share.describe(
    'Probability that a delayed flight has a higher score than a flight on time; a tie counts half.',
  ),
  log_loss: measure('nats').describe('Log loss of the probability.'),
  brier: measure('ratio').describe('Brier score of the probability.'),
  skill: measure('ratio').describe(
    'Brier skill: 1 minus the Brier score divided by that of a constant forecast, the earlier share of delays.',
  ),
  calibration_error: share.describe(
    'Mean distance between forecast and actual share, in 15 quantile bins.',
  ),
  log_loss_over_rates: measure('nats').describe(
    'Log loss minus that of the earlier rates of each airline on each route; below 0 is better.',
  ),
  standard_error: measure('nats')
    .nullable()
    .describe(
      'Standard error of `log_loss_over_rates`, over days or airport-months; null for a single one.',
    ),
});

/** Accuracy of the forecasts for a record. */
export const recordAccuracy = z.strictObject({
  state: accuracyState.describe(
    '`passed`: better than a constant forecast, and not worse than the earlier rates of each airline on each route. `failed`: one of these simple forecasts is better; scores are still answered. `unmeasured`: not measured yet, or too few flights to decide.',
  ),
  why: z.string().describe('The reason for the state.'),
  measured: z
    .strictObject({
      trained_on: z
        .strictObject({
          first_month: monthName.describe('First month, `YYYY-MM`.'),
          last_month: monthName.describe('Last month, `YYYY-MM`.'),
        })
        .describe('Months from which the flights were forecast.'),
      tested_on: z.array(monthName).describe('Months of the flights that were forecast.'),
      measured_share: share.describe(
        'Share of the completed flights that were measured: those on routes with earlier flights.',
      ),
      with_hour: figures.describe(
        'Forecasts with the hour of departure, for flights whose hour is known.',
      ),
      without_hour: figures.describe('Forecasts of the same flights without the hour.'),
      score_reliability: scoreReliabilityBody.describe('Actual outcomes by score.'),
    })
    .nullable()
    .describe('Figures on months that the forecasts had not seen; null if nothing was measured.'),
});

export type AccuracyBody = z.infer<typeof recordAccuracy>;

/** The accuracy of one provider's record. BTS is not among these providers. */
export const recordAccuracyBody = z.strictObject({
  provider: z.string().describe('Short name of the provider, as in `data_provider`.'),
  title: z.string().describe('Name of the provider.'),
  ...recordAccuracy.shape,
});

export type RecordAccuracyBody = z.infer<typeof recordAccuracyBody>;

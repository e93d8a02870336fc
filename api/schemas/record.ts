import { z } from 'zod';
import { count, instant, measure, monthName, share } from './field.ts';
import { airlineCode, calendarMonth, wholeNumber } from './params.ts';

/** Numbers of days between a forecast and its flight. */
const HORIZON_DAYS = ['1', '7', '30', '90'] as const;
const RECORD_KINDS = ['live', 'replayed'] as const;
const RECORD_OUTCOMES = ['disrupted', 'late'] as const;

/** Parameters of `/api/record`. */
export const recordParams = z.object({
  kind: z.enum(RECORD_KINDS, 'must be live or replayed').optional().meta({
    description:
      'Only live forecasts, frozen before the flights, or only replayed ones, made later from the data before each month.',
    example: 'live',
  }),
  outcome: z.enum(RECORD_OUTCOMES, 'must be disrupted or late').default('disrupted').meta({
    description:
      '`disrupted`: more than 30 minutes late or cancelled, among all flights. `late`: more than 30 minutes late, among the flights that arrived.',
    example: 'disrupted',
  }),
  horizon: z.enum(HORIZON_DAYS, 'must be 1, 7, 30 or 90').transform(Number).optional().meta({
    description: 'Only live forecasts made this many days before the flight.',
    example: '7',
  }),
  month: calendarMonth.optional().meta({
    description:
      'Only flights of this month, which may be older than the months that are listed by default.',
    example: '2026-12',
  }),
  months: wholeNumber(
    { min: 1, max: 120 },
    {
      description:
        'Lists only the newest months: this number of live months, and this number of replayed months. The figures of all months together are always listed.',
      example: 24,
      wire: { default: 12 },
    },
  ).default(12),
  airline: airlineCode.optional().meta({
    description:
      'Only flights of this airline, by its IATA code; all airlines together by default.',
    example: 'DL',
  }),
  provider: z
    .string()
    .regex(/^[a-z]{2,12}$/, 'must be the name of a provider, such as bts')
    .optional()
    .meta({
      description:
        'Only flights whose record comes from this provider; all providers together by default.',
      example: 'bts',
    }),
  by: z.enum(['airline', 'provider'], 'must be airline or provider').optional().meta({
    description: 'Lists each airline or each provider in rows of its own.',
    example: 'airline',
  }),
  format: z.enum(['json', 'csv'], 'must be json or csv').default('json').meta({
    description: 'Format of the answer. CSV has only the figures; the clients read only JSON.',
    example: 'json',
  }),
});

/**
 * A standard error, computed over days of flights. If the days are unknown, it is computed over pairs of airport and
 * month. Null if there is only one day or pair, because a standard error needs several values.
 */
const noise = measure('share').min(0).nullable();

/** Quality figures for the forecasts of a group of flights. */
const recordFigures = z.strictObject({
  kind: z.enum(RECORD_KINDS).describe('Frozen before the flights, or replayed later.'),
  outcome: z.enum(RECORD_OUTCOMES).describe('The outcome that was forecast.'),
  month: monthName.nullable().describe('Month of the flights; null for all months together.'),
  horizon_days: count('days')
    .nullable()
    .describe(
      'Days from the forecast to the flight. Null for a replayed forecast, which uses only data from before the month of the flight.',
    ),
  provider: z.string().nullable().describe('Provider of the flights; null for all.'),
  airline: z.string().nullable().describe('IATA code of the airline; null for all.'),
  flights: count('flights').describe(
    'Flight forecasts compared with actual flights. A flight counts once for each forecast.',
  ),
  blocks: count('items').describe(
    'Number of days or, for sources without days, of pairs of airport and month. Standard errors are computed over these blocks.',
  ),
  forecast: share.describe('Mean forecast.'),
  forecast_noise: noise.describe('Standard error of the mean forecast.'),
  actual: share.describe('Actual share.'),
  actual_noise: noise.describe('Standard error of the actual share.'),
  level: measure('share').describe('Mean forecast minus actual share; 0 is best.'),
  level_noise: noise.describe('Standard error of the level.'),
  brier: share.describe('Brier score: mean squared error of the forecasts; lower is better.'),
  brier_noise: noise.describe('Standard error of the Brier score.'),
  reliability: measure('ratio').describe(
    'Part of the Brier score from forecasts that differ from the actual share of their bin; lower is better. Bins are 2.5 percentage points wide.',
  ),
  reliability_noise: noise.describe('Standard error of the reliability.'),
  resolution: measure('ratio').describe(
    'Reduction of the Brier score, because bins differ in their actual share; higher is better.',
  ),
  resolution_noise: noise.describe('Standard error of the resolution.'),
  uncertainty: measure('ratio').describe(
    'Brier score of always forecasting the actual share. The Brier score is reliability − resolution + uncertainty, apart from differences inside a bin.',
  ),
  uncertainty_noise: noise.describe('Standard error of the uncertainty.'),
  log_loss: measure('nats').describe('Mean log loss; lower is better.'),
  log_loss_noise: measure('nats').min(0).nullable().describe('Standard error of the log loss.'),
  auc: share
    .nullable()
    .describe(
      'Given a flight with the outcome and a flight without it, the chance that the first has the higher forecast; null if all flights or no flights have the outcome.',
    ),
  auc_noise: noise.describe('Standard error of the AUC.'),
});

const recordBin = z.strictObject({
  from: share.describe('Lowest forecast of the bin.'),
  to: share.describe('The forecasts of the bin are below this.'),
  flights: count('flights').describe('Flight forecasts in the bin.'),
  forecast: share.describe('Mean forecast of the bin.'),
  actual: share.describe('Actual share of the bin.'),
});

/** Response of `/api/record`. */
export const recordBody = z.strictObject({
  scored_at: instant
    .nullable()
    .describe('When forecasts were last compared with actual flights, in UTC; null if never.'),
  frozen: z
    .strictObject({
      forecasts: count('rows').describe('Frozen forecasts of all nights.'),
      nights: count('days').describe('Nights with frozen forecasts.'),
      first_night: z.iso.date().describe('First night, in UTC.'),
      last_night: z.iso.date().describe('Last night, in UTC.'),
      head: z
        .string()
        .describe(
          'SHA-256 of the last manifest of the hash chain. Keep it: if a byte of a former forecast changed, every later `head` would differ.',
        ),
      first_flight_date: z.iso
        .date()
        .nullable()
        .describe('Date of the first flight with a frozen forecast; null without forecasts.'),
    })
    .nullable()
    .describe('The forecasts frozen so far; null before the first night.'),
  live_since: monthName
    .nullable()
    .describe(
      'First month whose live forecasts were compared with actual flights; null if there is none.',
    ),
  first_score_expected: monthName
    .nullable()
    .describe(
      'Month in which live forecasts are expected to be compared with actual flights for the first time; null without forecasts, or after the first comparison.',
    ),
  figures: z.array(recordFigures).describe('The figures, live ones first.'),
  reliability: z
    .array(
      z.strictObject({
        kind: z.enum(RECORD_KINDS).describe('Live or replayed.'),
        horizon_days: count('days').nullable().describe('As in `figures`.'),
        bins: z.array(recordBin).describe('Bins with flights, lowest forecast first.'),
      }),
    )
    .describe(
      'Forecasts and actual shares by bin, of the selected airline, provider and month, without `by`.',
    ),
});

export type RecordBody = z.infer<typeof recordBody>;
export type RecordFigures = z.infer<typeof recordFigures>;
export type RecordParams = z.infer<typeof recordParams>;

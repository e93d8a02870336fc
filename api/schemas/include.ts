import { z } from 'zod';
import { HORIZON_DAYS } from '../local-day.ts';
import { PLACEHOLDERS } from '../../models/evidence.ts';
import { count, measure, monthName, openEnum, points, share } from './field.ts';
import { holidayDay } from './holiday.ts';
import { label, componentKey } from './label.ts';
import { inferredBrand, operatorsBody, type OperatorsBody } from './operators.ts';
import { accuracyState } from './record-accuracy.ts';
import { payoutBody, type PayoutBody } from './payout.ts';
import { distributionBody, type DistributionBody } from './distribution.ts';
import { intervalBody, outlookBody, type IntervalBody, type OutlookBody } from './outlook.ts';

/** Optional parts of a score response, in the order of the response. */
export const INCLUDES = [
  'lineage',
  'outlook',
  'distribution',
  'interval',
  'by_hour',
  'blend',
  'drivers',
  'operators',
] as const;

export type Include = (typeof INCLUDES)[number];

/** Returns the schema of the parameter `include`. */
export function includeOf<const Part extends string>(parts: readonly Part[]) {
  return z
    .string()
    .regex(listPattern(parts), `must be a comma-separated list of ${parts.join(', ')}`)
    .transform((names) => names.split(',') as Part[])
    .optional()
    .meta({
      description: 'Parts to add to the response, separated by commas.',
      wire: { type: 'array', items: { type: 'string', enum: [...parts] }, minItems: 1 },
    });
}

/** First and last month of a record. The record may lack months in between. */
export const recordMonths = z.strictObject({
  first: monthName.describe('First month of the record.'),
  last: monthName.describe('Last month of the record.'),
});

const age = count('minutes').nullable();

const weatherLineage = z.strictObject({
  basis: openEnum(['forecast', 'climatology', 'none']).describe(
    'Source of the weather: `forecast`, `climatology` (typical weather), or `none`.',
  ),
  age_min: age.describe('Minutes since the forecast was fetched; null without a forecast.'),
});

const liveLineage = z.strictObject({
  age_min: age.describe('Minutes since the last fetch; null if not used in the score.'),
});

const lineage = z.strictObject({
  store_version: z.string().describe('Version of the history, as in `X-Store-Version`.'),
  attribution: z
    .string()
    .nullable()
    .describe(
      'Text that names the source of the flights, as its licence requires; null for `bts`, whose records are in the public domain.',
    ),
  months: z
    .strictObject({
      first: monthName.nullable().describe('Oldest month, `YYYY-MM`.'),
      last: monthName.nullable().describe('Newest month, `YYYY-MM`.'),
      count: count('months').describe('Number of months.'),
      years: z
        .array(z.string().regex(/^\d{4}$/))
        .describe(
          'Years known only as totals. Each counts as twelve months in `count`, but has no figures of single months.',
        ),
    })
    .describe('Months with flights in the history.'),
  record: recordMonths
    .nullable()
    .describe(
      "The record used: the airline's on the route, or that of all airlines on the route; null without a record.",
    ),
  brand: inferredBrand,
  inferred: z
    .array(
      z.strictObject({
        minutes: count('minutes').describe('Minutes of the delay that the record does not count.'),
        of: count('minutes').describe('Minutes of a shorter delay, counted or itself inferred.'),
        share: share.describe(
          'Share of the flights with the shorter delay that also have this delay.',
        ),
        error: share.describe(
          'Typical error of `share`, measured at other providers; the rates have the same relative error.',
        ),
      }),
    )
    .describe(
      'Delays inferred from shorter ones, because the provider does not count them; empty if all are counted. The classes of `outlook` and `distribution` at these delays are inferred too.',
    ),
  accuracy: accuracyState
    .nullable()
    .describe(
      'Measured accuracy of the record, as in `providers` of `/api/model`. With `failed`, a simple forecast was better in the newest months. Null for `bts`, whose model `/api/model` describes.',
    ),
  last_flight_date: z.iso
    .date()
    .nullable()
    .describe('Newest day with flights; null if the last month is known only as a total.'),
  levels_until: monthName
    .nullable()
    .describe(
      'Newest month of the table of current delays by airline and airport; null without a table.',
    ),
  model: z.string().nullable().describe('Version of the model; null if no model contributed.'),
  weather_dep: weatherLineage.describe('Weather at the departure airport.'),
  weather_arr: weatherLineage.describe('Weather at the arrival airport.'),
  news: liveLineage.describe('General news feeds; age null if never fetched.'),
  airport_status: liveLineage.describe(
    "The FAA's airport status. The age is also null if the status is over an hour old, or if the flight is not today.",
  ),
  horizon_days: z
    .int()
    .min(0)
    .max(HORIZON_DAYS)
    .meta({ 'x-unit': 'days' })
    .describe(`Days from today at the origin to the flight, 0 to ${HORIZON_DAYS}.`),
  unknown: z
    .array(openEnum([...PLACEHOLDERS, 'event_risk']))
    .describe('Figures that are unknown and replaced by those of an average flight.'),
});

const hourlyScore = z.strictObject({
  hour: count('hour of the day').max(23).describe('Local hour of departure, 0 to 23.'),
  score: points.describe('Score of a departure in that hour.'),
  label: label.describe('The band of `score`.'),
  is_flown: z
    .boolean()
    .nullable()
    .describe(
      'Whether the record of the airline on this route has departures in that hour; null if its hours are unknown.',
    ),
});

const blend = z.strictObject({
  statistical_share: share.describe('Weight of the statistical score.'),
  ml_share: share.describe("Weight of the model's score."),
  statistical_points: measure('points')
    .min(0)
    .max(100)
    .describe('Points of the statistical score.'),
  ml_points: measure('points').min(0).max(100).describe("Points of the model's score."),
  score_before_rounding: measure('points')
    .min(0)
    .max(100)
    .describe('Weighted sum of both, before rounding.'),
});

const drivers = z.strictObject({
  top: componentKey
    .nullable()
    .describe(
      'The factor that raises the risk most compared with an average flight or, if the risk is low, lowers it most; null if every factor is about average.',
    ),
  holiday: holidayDay
    .nullable()
    .describe(
      'The day near a holiday and its effect, part of `seasonality`; null on any other day.',
    ),
  average_points: measure('points').describe(
    'Points of the statistical score of an average flight.',
  ),
  average_ml_points: measure('points')
    .min(0)
    .max(100)
    .describe(
      'Points that the model adds to the score of an average flight: the share of late flights that the statistics expect, times 100 and `blend.ml_share`; 0 without a model.',
    ),
  average_share: share.describe(
    'Share of average flights that arrive more than 30 minutes late or are cancelled; 4 decimals.',
  ),
  disrupted_share: share.describe(
    'Share of flights like this one that arrive more than 30 minutes late or are cancelled, from the statistics without the model; 4 decimals.',
  ),
  factors: z
    .array(
      z.strictObject({
        key: componentKey,
        points: measure('points').describe(
          'Points that the factor adds compared with an average flight; 0 if the factor is unknown.',
        ),
      }),
    )
    .length(6)
    .describe(
      'The factors, top driver first. With `average_points` they add up to `blend.statistical_points`, unless these reach a limit of the scale.',
    ),
});

/** Optional parts of a response. A part is present only if the call requests it. */
export const includedParts = {
  lineage: lineage.optional().describe('Sources of the answer. Present with `include=lineage`.'),
  outlook: outlookBody.optional(),
  distribution: distributionBody.optional(),
  interval: intervalBody.optional(),
  by_hour: z
    .array(hourlyScore)
    .length(24)
    .optional()
    .describe('Score of a departure in each local hour. Present with `include=by_hour`.'),
  blend: blend
    .optional()
    .describe(
      'Weights and points of statistics and model in the score. Present with `include=blend`.',
    ),
  drivers: drivers
    .optional()
    .describe('The factors compared with an average flight. Present with `include=drivers`.'),
  operators: operatorsBody.optional(),
  payout: payoutBody.optional(),
};

/** Values of the optional parts. The specification does not define these parts. */
export type IncludedParts = Partial<{
  lineage: z.infer<typeof lineage>;
  outlook: OutlookBody;
  distribution: DistributionBody;
  interval: IntervalBody;
  by_hour: z.infer<typeof hourlyScore>[];
  blend: z.infer<typeof blend>;
  drivers: z.infer<typeof drivers>;
  operators: OperatorsBody;
  payout: PayoutBody;
}>;

function listPattern(names: readonly string[]): RegExp {
  const name = `(${names.join('|')})`;
  return new RegExp(`^${name}(,${name})*$`);
}

import { z } from 'zod';
import { PLACEHOLDERS } from '../../models/evidence.ts';
import { count, measure, monthName, openEnum, points, share } from './field.ts';
import { label } from './label.ts';
import { intervalBody, outlookBody, type IntervalBody, type OutlookBody } from './outlook.ts';

/** Parts of a score answer that come only when asked for, in the order they are served. */
export const INCLUDES = ['lineage', 'outlook', 'interval', 'by_hour', 'blend'] as const;

export type Include = (typeof INCLUDES)[number];

/** The parameter that asks for some of those parts. */
export function includeOf<const Part extends string>(parts: readonly Part[]) {
  return z
    .string()
    .regex(listOf(parts), `must be a list, with commas, of ${parts.join(', ')}`)
    .transform((names) => names.split(',') as Part[])
    .optional()
    .meta({
      description: 'Parts to add to the answer, with commas between.',
      wire: { type: 'array', items: { type: 'string', enum: [...parts] }, minItems: 1 },
    });
}

/** The months of a record; there may be gaps between. */
export const recordMonths = z.strictObject({
  first: monthName.describe('Its first month.'),
  last: monthName.describe('Its last month.'),
});

const age = count('minutes').nullable();

const weatherLineage = z.strictObject({
  basis: openEnum(['forecast', 'climatology', 'none']).describe('What the weather rests on.'),
  age_min: age.describe('Minutes since the forecast was fetched; null without one.'),
});

const liveLineage = z.strictObject({
  age_min: age.describe('Minutes since it was fetched; null where it has no part in the score.'),
});

const lineage = z.strictObject({
  store_version: z.string().describe('Version of the history, as in `X-Store-Version`.'),
  months: z
    .strictObject({
      first: monthName.nullable().describe('The oldest, `YYYY-MM`.'),
      last: monthName.nullable().describe('The newest, `YYYY-MM`.'),
      count: count('months').describe('How many there are.'),
    })
    .describe('Months of flights in the history.'),
  record: recordMonths
    .nullable()
    .describe(
      "The record the answer rests on: the airline's on the route, or that of all airlines there; null without one.",
    ),
  last_flight_date: z.iso
    .date()
    .nullable()
    .describe('The newest day of flights; null where the last month is known in sums only.'),
  levels_until: monthName
    .nullable()
    .describe(
      'Newest month of the table that tells how late airlines and airports are now; null without one.',
    ),
  model: z.string().nullable().describe('Version of the model; null where none has a part.'),
  weather_dep: weatherLineage.describe('Of the weather at the departure airport.'),
  weather_arr: weatherLineage.describe('Of the weather at the arrival airport.'),
  news: liveLineage.describe('Of the general news feeds; null when they were never fetched.'),
  airport_status: liveLineage.describe(
    "Of the FAA's airport status; null also when older than an hour, or not of the day of the flight.",
  ),
  horizon_days: z
    .int()
    .meta({ 'x-unit': 'days' })
    .describe('From today at the origin to the flight; negative for the past.'),
  unknown: z
    .array(openEnum([...PLACEHOLDERS, 'event_risk']))
    .describe('Figures nothing is known of, in whose place stands what an average flight has.'),
});

const hourlyScore = z.strictObject({
  hour: count('hour of the day').max(23).describe('Local hour of departure, 0 to 23.'),
  score: points.describe('Score of a departure in that hour.'),
  label: label.describe('The band of `score`.'),
});

const blend = z.strictObject({
  statistical_share: share.describe('Share of the statistical score.'),
  ml_share: share.describe("Share of the model's."),
  statistical_points: measure('points').min(0).max(100).describe('Points of the statistics.'),
  ml_points: measure('points').min(0).max(100).describe('Points of the model.'),
  score_before_rounding: measure('points').min(0).max(100).describe('Both together.'),
});

/** The parts, each there when it was asked for. */
export const includedParts = {
  lineage: lineage.optional().describe('What the answer rests on; with `include=lineage`.'),
  outlook: outlookBody.optional(),
  interval: intervalBody.optional(),
  by_hour: z
    .array(hourlyScore)
    .length(24)
    .optional()
    .describe('A departure in each local hour; with `include=by_hour`.'),
  blend: blend.optional().describe('How the two opinions make the score; with `include=blend`.'),
};

/** What was asked for of a score beyond the specification. */
export type IncludedParts = Partial<{
  lineage: z.infer<typeof lineage>;
  outlook: OutlookBody;
  interval: IntervalBody;
  by_hour: z.infer<typeof hourlyScore>[];
  blend: z.infer<typeof blend>;
}>;

function listOf(names: readonly string[]): RegExp {
  const name = `(${names.join('|')})`;
  return new RegExp(`^${name}(,${name})*$`);
}

import { z } from 'zod';
import { PLACEHOLDERS } from '../../models/evidence.ts';
import { label } from './label.ts';
import { intervalBody, outlookBody, type IntervalBody, type OutlookBody } from './outlook.ts';

/** Parts of a score answer that come only when asked for, in the order they are served. */
export const INCLUDES = ['lineage', 'outlook', 'interval', 'by_hour', 'blend'] as const;

export type Include = (typeof INCLUDES)[number];

/** Names of parts with commas between them. */
export const include = z
  .string()
  .regex(listOf(INCLUDES), `must be a list, with commas, of ${INCLUDES.join(', ')}`)
  .transform((names) => names.split(',') as Include[])
  .optional();

const share = z.number().min(0).max(1);
const points = z.number().min(0).max(100);

const weatherLineage = z.strictObject({
  basis: z.enum(['forecast', 'climatology', 'none']),
  age_min: z.int().min(0).nullable(),
});

/** Null: it has no part in the answer. */
const liveLineage = z.strictObject({ age_min: z.int().min(0).nullable() });

/** Where the answer comes from. */
const lineage = z.strictObject({
  store_version: z.string(),
  months: z.strictObject({
    first: z.string().nullable(),
    last: z.string().nullable(),
    count: z.int().min(0),
  }),
  /** Of the airline on the route, or of all airlines there, whichever the answer rests on. */
  record: z.strictObject({ first: z.string(), last: z.string() }).nullable(),
  last_flight_date: z.iso.date().nullable(),
  /** Newest month of the table that tells how late airlines and airports are now. */
  levels_until: z.string().nullable(),
  model: z.string().nullable(),
  weather_dep: weatherLineage,
  weather_arr: weatherLineage,
  news: liveLineage,
  airport_status: liveLineage,
  horizon_days: z.int(),
  unknown: z.array(z.enum([...PLACEHOLDERS, 'event_risk'])),
});

const hourlyScore = z.strictObject({ hour: z.int().min(0).max(23), score: z.int(), label });

/** How the two opinions make the score. */
const blend = z.strictObject({
  statistical_share: share,
  ml_share: share,
  statistical_points: points,
  ml_points: points,
  score_before_rounding: points,
});

/** The parts, each there when it was asked for. */
export const includedParts = {
  lineage: lineage.optional(),
  outlook: outlookBody.optional(),
  interval: intervalBody.optional(),
  by_hour: z.array(hourlyScore).length(24).optional(),
  blend: blend.optional(),
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

import { z } from 'zod';
import { count, openEnum, percent, points, share } from './field.ts';
import { label } from './label.ts';

/** Share of a record's flights that have an inferred airline, and the probability that this airline is right. */
export const inferredBrand = z
  .strictObject({
    inferred_share: share.describe(
      'Share of the recorded flights whose airline is inferred; 4 decimals.',
    ),
    confidence: share.describe(
      'Probability that the inferred airline of one of these flights is right; 4 decimals.',
    ),
  })
  .nullable()
  .describe(
    'The part of the record whose airline on the ticket is inferred, because the record names only the operator. Null if no airline is inferred.',
  );

const operator = z.strictObject({
  airline: z.string().describe('IATA code of the operator.'),
  airline_name: z.string().describe('Name of the operator.'),
  share: share.describe(
    "The operator's share of the airline's flights on the route, in the hour of `dep_time` if the airline departs then; recent months have more weight; 4 decimals.",
  ),
  n_flights: count('flights').describe('Recorded flights of the airline that it operated.'),
  delay_rate_pct: percent.describe(
    'Percentage of these flights, if completed, that arrived more than 30 minutes late; 2 decimals.',
  ),
  cancel_rate_pct: percent.describe('Percentage of these flights that were cancelled; 2 decimals.'),
  score: points.describe('The score of the flight if this operator flies it.'),
  label: label.describe('The band of `score`.'),
  source: openEnum(['reported', 'inferred']).describe(
    '`reported`: the record names the airline of every flight. `inferred`: for some flights, the record names only the operator, and the airline is inferred.',
  ),
  inferred_share: share.describe(
    'Share of these flights whose airline is inferred; 0 if `source` is `reported`; 4 decimals.',
  ),
  inferred_confidence: share
    .nullable()
    .describe(
      'Probability that the inferred airline of one of these flights is right; null if none is inferred; 4 decimals.',
    ),
});

/** The operators of an airline on a route. */
export const operatorsBody = z
  .array(operator)
  .describe(
    "The operators of the airline's flights on the route, most flights first. Operators that no longer exist, or have no flights in the hour of `dep_time`, are left out. Empty without a record of the airline on the route. Present with `include=operators`.",
  );

export type OperatorsBody = z.infer<typeof operatorsBody>;

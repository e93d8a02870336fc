import { z } from 'zod';
import { count, monthName, points, share } from './field.ts';
import { includeOf, recordMonths } from './include.ts';
import { label } from './label.ts';
import { operatorsBody } from './operators.ts';
import { routeParams, signedParam } from './params.ts';

/** Parameters of `/api/airlines`. */
export const airlinesParams = routeParams.extend({
  include: includeOf(['record', 'former', 'operators']).meta({ example: ['record', 'operators'] }),
  signed: signedParam,
});

/** One airline on a route. */
export const airlineEntry = z.strictObject({
  airline: z
    .string()
    .describe(
      'IATA code of the airline that sells the flights. Flights that partners operate for it count as its own.',
    ),
  airline_name: z.string().describe('Full name of the airline.'),
  score: points.describe('Score on this route for a departure today, as in `/api/score`.'),
  label: label.describe('The band of `score`.'),
  delay_rate: share.describe(
    'Share of recorded flights that arrived more than 30 minutes late; 4 decimals.',
  ),
  total_flights: count('flights').describe(
    'Recorded flights of the airline on this route, without flights that other airlines of the list sell.',
  ),
  confidence: share.describe('Confidence from the number of recorded flights; 4 decimals.'),
  record: recordMonths
    .nullable()
    .optional()
    .describe(
      'First and last month of the record on this route; null if unknown. Present with `include=record`.',
    ),
  operators: operatorsBody.optional(),
});

/** An airline that has left a route, or that no longer exists. */
export const formerAirline = z.strictObject({
  airline: z.string().describe('IATA code of the airline.'),
  airline_name: z.string().describe('Full name of the airline.'),
  last_month: monthName
    .nullable()
    .describe('Last month with recorded flights on this route; null if unknown.'),
  delay_rate: share.describe(
    'Share of recorded flights that arrived more than 30 minutes late; 4 decimals.',
  ),
  total_flights: count('flights').describe('Recorded flights of the airline on this route.'),
});

/** Response of `/api/airlines`, lowest score first. */
export const airlinesBody = z.strictObject({
  origin: z.string().describe('IATA code of the departure airport.'),
  dest: z.string().describe('IATA code of the arrival airport.'),
  airlines: z
    .array(airlineEntry)
    .describe(
      "The airlines that sell flights in the newest year of the route's record, lowest score first; equal scores in order of code. An operator is not listed if others sell at least half of its flights; `include=operators` shows it within their entries. Empty if no airline is known to fly the route.",
    ),
  former: z
    .array(formerAirline)
    .optional()
    .describe(
      'Airlines that have left the route or no longer exist, in order of code. Present with `include=former`.',
    ),
});

export type AirlineEntry = z.infer<typeof airlineEntry>;
export type FormerAirline = z.infer<typeof formerAirline>;
export type AirlinesBody = z.infer<typeof airlinesBody>;

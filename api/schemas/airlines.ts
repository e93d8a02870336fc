import { z } from 'zod';
import { count, points, share } from './field.ts';
import { includeOf, recordMonths } from './include.ts';
import { label } from './label.ts';
import { routeParams } from './params.ts';

/** Parameters of `/api/airlines`. */
export const airlinesParams = routeParams.extend({
  include: includeOf(['record']).meta({ example: ['record'] }),
});

/** One airline on a route. */
export const airlineEntry = z.strictObject({
  airline: z.string().describe('IATA code of the airline.'),
  airline_name: z.string().describe('Full name of the airline.'),
  score: points.describe('Score on this route for a departure today, as in `/api/score`.'),
  label: label.describe('The band of `score`.'),
  delay_rate: share.describe(
    'Share of recorded flights that arrived more than 30 minutes late; 4 decimals.',
  ),
  total_flights: count('flights').describe('Recorded flights of the airline on this route.'),
  confidence: share.describe('Confidence from the number of recorded flights; 4 decimals.'),
  record: recordMonths
    .nullable()
    .optional()
    .describe(
      'First and last month of the record on this route; null if unknown. A record that ended long ago may mean that the airline left the route. Present with `include=record`.',
    ),
});

/** Response of `/api/airlines`, lowest score first. */
export const airlinesBody = z.strictObject({
  origin: z.string().describe('IATA code of the departure airport.'),
  dest: z.string().describe('IATA code of the arrival airport.'),
  airlines: z
    .array(airlineEntry)
    .describe(
      'Every airline with a record on the route, lowest score first; equal scores in order of code. Empty if no airline has a record.',
    ),
});

export type AirlineEntry = z.infer<typeof airlineEntry>;
export type AirlinesBody = z.infer<typeof airlinesBody>;

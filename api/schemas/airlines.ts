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
  airline_name: z.string().describe('Its full name.'),
  score: points.describe('Its score on this route for a departure today, as of `/api/score`.'),
  label: label.describe('The band of `score`.'),
  delay_rate: share.describe('Flights of the record delayed more than 30 minutes; 4 decimals.'),
  total_flights: count('flights').describe('Flights of the airline on this route in the history.'),
  confidence: share.describe('How far its record carries; 4 decimals.'),
  record: recordMonths
    .nullable()
    .optional()
    .describe(
      'The months of its record on this route, null where they are not known: one that ends long ago may be of an airline that has left; with `include=record`.',
    ),
});

/** Answer of `/api/airlines`; lowest score first. */
export const airlinesBody = z.strictObject({
  origin: z.string().describe('IATA code of the departure airport.'),
  dest: z.string().describe('IATA code of the arrival airport.'),
  airlines: z
    .array(airlineEntry)
    .describe(
      'Every airline with history on the route, lowest score first, in code order among equals; empty when nobody in the history flew it.',
    ),
});

export type AirlineEntry = z.infer<typeof airlineEntry>;
export type AirlinesBody = z.infer<typeof airlinesBody>;

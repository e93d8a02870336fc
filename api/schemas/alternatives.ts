import { z } from 'zod';
import { count, openEnum, percent, points } from './field.ts';
import { inferredBrand } from './operators.ts';
import { intervalBody } from './outlook.ts';
import { label } from './label.ts';
import { placeCode, signedParam, wholeNumber } from './params.ts';
import { flightParams, numberFields } from './score.ts';

const [ROWS, MAX_ROWS] = [10, 50];

/** Number of rows that cost one call. */
export const ROWS_PER_CALL = 10;

/** Parameters of `/api/alternatives`. */
export const alternativesParams = flightParams.extend({
  origin: placeCode.optional().meta({
    description:
      'IATA code of the departure airport, or of a city such as `NYC`. Required without `flight`.',
    example: 'NYC',
    unless: 'flight',
  }),
  dest: placeCode.optional().meta({
    description:
      'IATA code of the arrival airport, or of a city other than the city of `origin`. Required without `flight`.',
    example: 'LAX',
    unless: 'flight',
  }),
  limit: wholeNumber(
    { min: 1, max: MAX_ROWS },
    {
      description: `Maximum number of alternatives. Costs one call per ${ROWS_PER_CALL}, rounded up.`,
      example: ROWS,
      wire: { default: ROWS },
    },
  ).default(ROWS),
  signed: signedParam,
});

/** The city of an airport; only for cities with several airports. */
export const city = z
  .strictObject({
    code: z.string().describe('Metropolitan code, or the code of the largest airport.'),
    name: z.string().describe('Name of the city.'),
    airports: z.array(z.string()).describe('IATA codes of the airports of the city.'),
  })
  .describe('A city with several airports.');

const flightFields = {
  origin: z.string().describe('IATA code of the departure airport.'),
  destination: z.string().describe('IATA code of the arrival airport.'),
  airline: z.string().describe('IATA code of the airline.'),
  airline_name: z.string().describe('Full name of the airline.'),
  flight_date: z.iso.date().describe('Departure date at the origin.'),
  dep_time: z
    .string()
    .nullable()
    .describe(
      'Local departure time, `HH:MM`. The time of an alternative is the hour in which it departs. If it is null, the score is the average over the hours of the airline.',
    ),
  score: points.describe('The score of `/api/score` for this flight.'),
  label: label.describe('The band of `score`.'),
  ml_probability: percent
    .nullable()
    .describe("The model's probability of a delay of more than 30 minutes; null without a model."),
  brand: inferredBrand,
};

/** A flight with a clearly lower score. */
export const alternative = z
  .strictObject({
    change: openEnum(['hour', 'airline', 'day', 'airports']).describe(
      'The change to the flight: another `hour`, `airline`, `day`, or other `airports` of the same cities.',
    ),
    saved: count('points', 1).max(100).describe('Points by which the score is lower.'),
    ...flightFields,
    total_flights: count('flights').describe('Recorded flights of the airline on this route.'),
  })
  .describe('A flight with a clearly lower score.');

/** Response of `/api/alternatives`, largest gain first. */
export const alternativesBody = z.strictObject({
  flight: z
    .strictObject({ ...flightFields, ...numberFields, interval: intervalBody })
    .describe(
      'The flight to replace. If the call names a city, the flight is between the two airports where the airline sells most flights. If pairs of airports are equal, the pair where the airline operates more flights for others comes first, then the pair with more flights of all airlines.',
    ),
  origin_city: city.nullable().describe('City of departure; null if it has only one airport.'),
  dest_city: city.nullable().describe('City of arrival; null if it has only one airport.'),
  considered: count('flights').describe('Number of flights that were compared.'),
  better: count('flights').describe(
    'Number of flights with a clearly lower score: at least 3 points lower, and below `interval` of `flight`.',
  ),
  alternatives: z
    .array(alternative)
    .max(MAX_ROWS)
    .describe('The better flights, largest gain first, at most `limit`.'),
});

export type AlternativesBody = z.infer<typeof alternativesBody>;
export type CityBody = z.infer<typeof city>;

import { z } from 'zod';
import { points } from './field.ts';
import { label } from './label.ts';

/** Response of `/api/explain`, as the specification plans it. */
export const explainBody = z.strictObject({
  origin: z.string().describe('IATA code of the departure airport.'),
  destination: z.string().describe('IATA code of the arrival airport.'),
  airline: z.string().describe('IATA code of the airline.'),
  date: z.iso.date().describe('Departure date at the origin.'),
  score: points.describe('The score of `/api/score`.'),
  label: label.describe('The band of `score`.'),
  explanation: z
    .string()
    .describe('A few sentences on the record, weather, congestion, season and confidence.'),
});

export type ExplainBody = z.infer<typeof explainBody>;

import { z } from 'zod';
import { ERROR_CODES, type RequestError } from '../errors.ts';
import { openEnum } from './field.ts';

const errorLeg = z.strictObject({
  origin: z.string().describe('IATA code of the departure airport.'),
  destination: z.string().describe('IATA code of the arrival airport.'),
  airline: z.string().describe('IATA code of the operating airline.'),
  dep_time: z.string().nullable().describe('Usual local departure time, `HH:MM`; null if unknown.'),
});

/** Body of every response that is not 2xx. */
export const errorBody = z.strictObject({
  error: openEnum(ERROR_CODES).describe('Error code. New codes may be added.'),
  message: z.string().describe('Explanation for people. The wording may change.'),
  param: z.string().optional().describe('The invalid or missing parameter.'),
  request_id: z
    .string()
    .optional()
    .describe(
      'Id of the request. Include this id when you report the error. Only answers with status 500 have it.',
    ),
  legs: z
    .array(errorLeg)
    .optional()
    .describe('The legs of a flight number, most frequent first. Present with `ambiguous_flight`.'),
  schedule_month: z
    .string()
    .optional()
    .describe('Month of the newest schedule, `YYYY-MM`. Present if a flight number was looked up.'),
  valid: z
    .literal(false)
    .optional()
    .describe('Present only in `/api/keys/validate`, for an unknown or inactive key.'),
});

export type ErrorBody = z.infer<typeof errorBody>;

/** Builds the error body that the caller gets. */
export function errorBodyOf({ code, message, param, facts }: RequestError): ErrorBody {
  return { error: code, message, ...(param !== undefined && { param }), ...facts };
}

import { z } from 'zod';
import { ERROR_CODES, type RequestError } from '../errors.ts';
import { openEnum } from './field.ts';

/** Body of every response that is not 2xx. */
export const errorBody = z.strictObject({
  error: openEnum(ERROR_CODES).describe('Error code. New codes may be added.'),
  message: z.string().describe('Explanation for people. The wording may change.'),
  param: z.string().optional().describe('The invalid or missing parameter.'),
  request_id: z
    .string()
    .optional()
    .describe('Quote this id when you report the error. Present with 500.'),
  valid: z
    .literal(false)
    .optional()
    .describe('Present only in `/api/keys/validate`, for an unknown or inactive key.'),
});

export type ErrorBody = z.infer<typeof errorBody>;

/** Builds the error body that the caller gets. */
export function errorBodyOf({ code, message, param }: RequestError): ErrorBody {
  return { error: code, message, ...(param !== undefined && { param }) };
}

import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { openEnum } from './field.ts';

/** Body of every answer that is not 2xx. */
export const errorBody = z.strictObject({
  error: openEnum(ERROR_CODES).describe('What went wrong, as a code; there may be more of them.'),
  message: z.string().describe('The same for people; its wording may change.'),
  param: z.string().optional().describe('The parameter at fault.'),
  request_id: z.string().optional().describe('To quote in a report; comes with 500.'),
  valid: z
    .literal(false)
    .optional()
    .describe('Of `/api/keys/validate` alone, for a key that is unknown or inactive.'),
});

export type ErrorBody = z.infer<typeof errorBody>;

import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';

/** Body of every answer that is not 2xx. */
export const errorBody = z.strictObject({
  error: z.enum(ERROR_CODES),
  message: z.string(),
  param: z.string().optional(),
  request_id: z.string().optional(),
  /** Of `/api/keys/validate` alone, for a key that is unknown or inactive. */
  valid: z.literal(false).optional(),
});

export type ErrorBody = z.infer<typeof errorBody>;

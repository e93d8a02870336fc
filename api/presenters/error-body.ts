import type { RequestError } from '../errors.ts';
import type { ErrorBody } from '../schemas/error.ts';

/** The refusal as the caller sees it. */
export function errorBodyOf({ code, message, param }: RequestError): ErrorBody {
  return { error: code, message, ...(param !== undefined && { param }) };
}

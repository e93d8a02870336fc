import type { RequestError } from '../errors.ts';
import type { ErrorBody } from '../schemas/error.ts';

/** Builds the error body that the caller gets. */
export function errorBodyOf({ code, message, param }: RequestError): ErrorBody {
  return { error: code, message, ...(param !== undefined && { param }) };
}

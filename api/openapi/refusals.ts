import type { ErrorBody } from '../schemas/error.ts';

type Refusal = {
  /** Name of the response in the document. */
  name: string;
  description: string;
  example: ErrorBody;
  headers?: string[];
};

/** Error responses, by status. */
export const REFUSALS: Record<number, Refusal> = {
  400: {
    name: 'BadRequest',
    description: 'A parameter is missing, malformed, out of range, repeated or misspelled.',
    example: {
      error: 'invalid_parameter',
      message: 'date must be a calendar date, YYYY-MM-DD.',
      param: 'date',
    },
  },
  401: {
    name: 'Unauthorized',
    description: 'The key is missing, mistyped, unknown or inactive.',
    example: { error: 'invalid_api_key', message: 'This API key is unknown or inactive.' },
  },
  403: {
    name: 'Forbidden',
    description: 'An admin key is required, or a browser sent the request without a user action.',
    example: { error: 'forbidden', message: 'This endpoint needs an admin key.' },
  },
  404: {
    name: 'NotFound',
    description: 'The airport, the airline, the flight number or the path is unknown.',
    example: {
      error: 'unknown_airport',
      message: 'No airport has the code ZZZ.',
      param: 'origin',
    },
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The method is not allowed; the header `Allow` lists the methods.',
    example: { error: 'method_not_allowed', message: 'Use GET or HEAD here.' },
    headers: ['Allow'],
  },
  429: {
    name: 'RateLimited',
    description:
      "The month's quota is used up. Without a key: too many requests from one address in a short time.",
    example: {
      error: 'rate_limit_exceeded',
      message: 'The monthly limit of 100 calls is reached; contact the provider to upgrade.',
    },
    headers: ['Retry-After'],
  },
  500: {
    name: 'InternalError',
    description: 'A server error. The call does not count.',
    example: {
      error: 'internal_error',
      message:
        'The service failed to answer this request. Quote the request id if you report the error.',
      request_id: '0b9f8d1c-5a53-4c5e-9d0e-2f1f8f6f3c11',
    },
  },
  501: {
    name: 'NotAvailable',
    description: 'The endpoint is announced, or switched off on this server.',
    example: { error: 'not_available', message: 'Explanations are not available yet.' },
  },
  503: {
    name: 'Unavailable',
    description:
      'Keys or history are temporarily unavailable. Try again after `Retry-After` seconds.',
    example: {
      error: 'service_unavailable',
      message: 'The service cannot check API keys at the moment. Try again in a few seconds.',
    },
    headers: ['Retry-After'],
  },
};

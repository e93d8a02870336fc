import type { ErrorBody } from '../schemas/error.ts';

type Refusal = {
  /** Name of the response in the document. */
  name: string;
  description: string;
  example: ErrorBody;
  headers?: string[];
};

/** The answers that are not 2xx, by status. */
export const REFUSALS: Record<number, Refusal> = {
  400: {
    name: 'BadRequest',
    description: 'A parameter is missing, malformed, out of range, or given more than once.',
    example: {
      error: 'invalid_parameter',
      message: 'date must be a calendar date, YYYY-MM-DD.',
      param: 'date',
    },
  },
  401: {
    name: 'Unauthorized',
    description: 'There is no key, or it is mistyped, unknown or inactive.',
    example: { error: 'invalid_api_key', message: 'This API key is unknown or inactive.' },
  },
  403: {
    name: 'Forbidden',
    description: 'An admin key is needed, or a browser sent the request by itself.',
    example: { error: 'forbidden', message: 'This endpoint needs an admin key.' },
  },
  404: {
    name: 'NotFound',
    description: 'No airport or airline has the code given, or nothing is at this path.',
    example: {
      error: 'unknown_airport',
      message: 'No airport has the code ZZZ.',
      param: 'origin',
    },
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'Only the methods in the header Allow are served here.',
    example: { error: 'method_not_allowed', message: 'Use GET or HEAD here.' },
    headers: ['Allow'],
  },
  429: {
    name: 'RateLimited',
    description: "The month's quota is used up.",
    example: {
      error: 'rate_limit_exceeded',
      message: 'The monthly limit of 100 calls is reached; contact the provider to upgrade.',
    },
    headers: ['Retry-After'],
  },
  500: {
    name: 'InternalError',
    description: 'A fault of ours; the call does not count.',
    example: {
      error: 'internal_error',
      message: 'Something went wrong on our side; quote the request id if you report it.',
      request_id: '0b9f8d1c-5a53-4c5e-9d0e-2f1f8f6f3c11',
    },
  },
  501: {
    name: 'NotAvailable',
    description: 'The endpoint is announced but switched off.',
    example: { error: 'not_available', message: 'Explanations are not available yet.' },
  },
  503: {
    name: 'Unavailable',
    description: 'Keys or history are out of reach; ends by itself.',
    example: {
      error: 'service_unavailable',
      message: 'The service cannot check keys at the moment; try again in a few seconds.',
    },
    headers: ['Retry-After'],
  },
};

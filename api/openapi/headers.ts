/** Response headers, by name. */
export const HEADERS: Record<string, { description: string; type: 'string' | 'integer' }> = {
  'X-Request-Id': {
    description:
      "The caller's request id if it has 8 to 64 letters, digits or hyphens and does not look like part of a key; otherwise a new id.",
    type: 'string',
  },
  'X-RateLimit-Limit': { description: 'Calls allowed per calendar month.', type: 'integer' },
  'X-RateLimit-Remaining': { description: 'Calls left this month.', type: 'integer' },
  'X-RateLimit-Reset': { description: 'End of the month, in Unix seconds.', type: 'integer' },
  'RateLimit-Policy': {
    description: 'The quota, in the format of draft-ietf-httpapi-ratelimit-headers-10.',
    type: 'string',
  },
  RateLimit: {
    description: 'The rest of the quota, in the format of draft-ietf-httpapi-ratelimit-headers-10.',
    type: 'string',
  },
  'Retry-After': {
    description:
      'Seconds to wait before a retry. After a 429, the seconds to the end of the month.',
    type: 'integer',
  },
  'X-Store-Version': {
    description: 'Version of the history used for the response.',
    type: 'string',
  },
  'X-Ignored-Parameters': {
    description:
      'Names of parameters that the endpoint does not know and ignored, percent-encoded and separated by commas; absent if there are none. A name within two edits of a parameter of the endpoint is refused instead.',
    type: 'string',
  },
  'X-Signature': {
    description:
      'With `signed=true`: a detached JWS (RFC 7515) over the body, the time, the version of the history and the call. Verify it with the keys at `/.well-known/jwks.json`.',
    type: 'string',
  },
  ETag: {
    description:
      'Version of the response. Send it back in `If-None-Match`: an unchanged response is answered with 304, without a body and free.',
    type: 'string',
  },
  'Cache-Control': {
    description:
      '`private, max-age=…` until the next refresh of the data; `private, no-cache` while the time of this refresh is unknown.',
    type: 'string',
  },
  Allow: { description: 'Allowed methods.', type: 'string' },
};

/** Headers with the quota of a valid key. */
export const QUOTA_HEADERS: readonly string[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

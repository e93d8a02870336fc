/** Headers of answers, by name: what they say. */
export const HEADERS: Record<string, { description: string; type: 'string' | 'integer' }> = {
  'X-Request-Id': {
    description:
      "The caller's own, if it has 8 to 64 letters, digits or hyphens and is not like a piece of a key; else a new one.",
    type: 'string',
  },
  'X-RateLimit-Limit': { description: "Calls in the month's quota.", type: 'integer' },
  'X-RateLimit-Remaining': { description: 'Calls left of it.', type: 'integer' },
  'X-RateLimit-Reset': { description: 'Its end, in Unix seconds.', type: 'integer' },
  'RateLimit-Policy': {
    description: 'The quota after draft-ietf-httpapi-ratelimit-headers-10.',
    type: 'string',
  },
  RateLimit: { description: 'What is left of it, after the same draft.', type: 'string' },
  'Retry-After': {
    description: 'Seconds after which to try again: of a 429 to the end of the month.',
    type: 'integer',
  },
  'X-Store-Version': {
    description: 'The version of the history the answer rests on.',
    type: 'string',
  },
  Allow: { description: 'The methods that are served.', type: 'string' },
};

/** Headers that tell where the quota of a valid key stands. */
export const QUOTA_HEADERS: readonly string[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

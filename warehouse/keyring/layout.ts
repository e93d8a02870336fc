/**
 * Where keys and counts live in Redis. Nothing here expires but `hw:calls`, after the 24 months that usage is told of.
 *
 * | Redis key | type | content |
 * |---|---|---|
 * | `hw:key:{<sha256>}` | hash | `prefix`, `name`, `email`, `monthly_limit`, `active` (1/0; 2: it has `until` or `of`), `admin` (1/0), `created_at` and `changed_at` (ISO 8601; changed when switched on or off), `total_requests`; `until` (ms since 1970 from which it is refused; empty is never), `of` (the sha256 of the key it came of by rotation, whose record is the account of both: name, limit, counts and history), `next` (prefix of the key it was rotated to) |
 * | `hw:usage:{<sha256>}:<YYYY-MM>` | integer | calls counted in that UTC month; absent is 0 |
 * | `hw:history:{<sha256>}` | hash | `<YYYY-MM>`: what the rollover wrote of that finished month, once (history.ts) |
 * | `hw:prefix:<prefix>` | string | the sha256 of the one key with that prefix |
 * | `hw:keys` | set | the sha256 of every key |
 * | `hw:seen:{<sha256>}` | string | when it was used last (ISO 8601), to a few seconds (activity.ts) |
 * | `hw:calls:{<sha256>}:<YYYY-MM>` | hash | counted calls of that month by endpoint, after the same |
 *
 * `<sha256>` is of the whole secret key, in hex. By the braces the scripts find it in the name.
 */
export const redisKeys = {
  key: (hash: string) => `hw:key:{${hash}}`,
  usage: (hash: string, month: string) => `hw:usage:{${hash}}:${month}`,
  history: (hash: string) => `hw:history:{${hash}}`,
  prefix: (prefix: string) => `hw:prefix:${prefix}`,
  seen: (hash: string) => `hw:seen:{${hash}}`,
  calls: (hash: string, month: string) => `hw:calls:{${hash}}:${month}`,
  all: 'hw:keys',
};

/**
 * The fields of a key that the archive keeps: all but the e-mail address and the count, which it keeps in its own way. One that is
 * missing here is lost when keys are restored.
 */
export const ARCHIVED_FIELDS = [
  'prefix',
  'name',
  'monthly_limit',
  'active',
  'admin',
  'created_at',
  'changed_at',
  'until',
  'of',
  'next',
] as const;

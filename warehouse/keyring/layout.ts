/**
 * The layout of keys and counts in Redis. Only `hw:calls` expires: after the 24 months of the usage history.
 *
 * | Redis key | type | content |
 * |---|---|---|
 * | `hw:key:{<sha256>}` | hash | `prefix`, `name`, `email`, `monthly_limit`, `active` (1/0; 2: the key has `until` or `of`), `admin` (1/0), `created_at` and `changed_at` (ISO 8601), `total_requests`; `until` (end in ms since 1970; empty means never), `of` (sha256 of the account's first key; the record of the first key has the name, limit, counts and history of the whole account), `next` (prefix of the key that replaced this key) |
 * | `hw:usage:{<sha256>}:<YYYY-MM>` | integer | calls counted in that UTC month; absent means 0 |
 * | `hw:history:{<sha256>}` | hash | `<YYYY-MM>`: the row that the rollover wrote once for that finished month (history.ts) |
 * | `hw:prefix:<prefix>` | string | the sha256 of the only key with that prefix |
 * | `hw:keys` | set | the sha256 of every key |
 * | `hw:seen:{<sha256>}` | string | last use (ISO 8601), exact to a few seconds (activity.ts) |
 * | `hw:calls:{<sha256>}:<YYYY-MM>` | hash | counted calls of that month by endpoint (activity.ts) |
 *
 * `<sha256>` is the hash of the whole secret key, in hex. The braces let the scripts find the hash in the name.
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
 * The fields of a key in the archive, apart from the total count, which is stored separately. The e-mail address is not
 * archived. A new field must be added here, or a restore loses it.
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

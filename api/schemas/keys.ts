import { z } from 'zod';
import { holdsKey, holdsSecret } from '../redact.ts';

/** Limit of a key nobody gave one. */
export const DEFAULT_MONTHLY_LIMIT = 100;
const MONTHLY_LIMIT_MAX = 10_000_000;

/** Parameters of `/api/keys/create`, and of the commands that make keys. */
export const createKeyParams = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(100, 'must have at most 100 characters')
    // The name is shown in terminals and lists.
    .refine((name) => /^\P{C}*$/u.test(name), 'must not contain control characters')
    // A name is answered, archived and put in lists; what was pasted into the wrong field must not be.
    .refine((name) => !holdsSecret(name), 'must not hold a key or an e-mail address')
    .meta({ description: 'Label of the key.', example: 'Acme Travel' }),
  email: z
    .email('must be an e-mail address')
    .max(254, 'must have at most 254 characters')
    .refine((email) => !holdsKey(email), 'must not hold a key')
    .meta({ description: 'Contact address; never returned.', example: 'dev@acme.example' }),
  monthly_limit: z
    .string()
    .regex(/^\d{1,8}$/, `must be a whole number from 1 to ${MONTHLY_LIMIT_MAX}`)
    .default(String(DEFAULT_MONTHLY_LIMIT))
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= MONTHLY_LIMIT_MAX, {
      error: `must be a whole number from 1 to ${MONTHLY_LIMIT_MAX}`,
    })
    .meta({
      description: `Calls per calendar month, 1 to ${MONTHLY_LIMIT_MAX}.`,
      example: '5000',
    }),
});

/** Answer of `/api/keys/create`; the only time the key is shown. */
export const createKeyBody = z.strictObject({
  api_key: z.string(),
  prefix: z.string().length(14),
  monthly_limit: z.int(),
  message: z.string(),
});

export type CreateKeyBody = z.infer<typeof createKeyBody>;

/** Answer of `/api/keys/validate` to an active key; `requests_this_month` is `month_count` again. */
export const validateKeyBody = z.strictObject({
  valid: z.literal(true),
  prefix: z.string().length(14),
  name: z.string(),
  monthly_limit: z.int().min(1),
  month_count: z.int().min(0),
  total_requests: z.int().min(0),
  created_at: z.iso.datetime(),
  requests_this_month: z.int().min(0),
});

/** Parameters of `/api/keys/usage`; both narrow the history. */
export const usageParams = z.object({
  year: z
    .string()
    .regex(/^\d{4}$/, 'must be a year of four digits')
    .meta({ description: 'Only the rows of this year.', example: '2026' })
    .transform(Number)
    .optional(),
  month: z
    .string()
    .regex(/^(0?[1-9]|1[0-2])$/, 'must be a month from 1 to 12')
    .meta({ description: 'Only the rows of this month, 1 to 12, of any year.', example: '2' })
    .transform(Number)
    .optional(),
});

const yearAndMonth = { year: z.int(), month: z.int().min(1).max(12), requests: z.int().min(0) };

const usageEntry = z.strictObject({
  ...yearAndMonth,
  monthly_limit: z.int().min(1),
  usage_pct: z.number().min(0),
  logged_at: z.iso.datetime(),
  period: z.literal('historical'),
});

/** Answer of `/api/keys/usage`; history newest first. */
export const usageBody = z.strictObject({
  key_prefix: z.string().length(14),
  name: z.string(),
  current_month: z.strictObject({
    ...yearAndMonth,
    monthly_limit: z.int().min(1),
    period: z.literal('current'),
  }),
  history: z.array(usageEntry).max(24),
  total_requests_all_time: z.int().min(0),
});

export type ValidateKeyBody = z.infer<typeof validateKeyBody>;
export type UsageParams = z.output<typeof usageParams>;
export type UsageBody = z.infer<typeof usageBody>;

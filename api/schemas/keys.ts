import { z } from 'zod';
import { holdsKey, holdsSecret } from '../redact.ts';
import { MONTHLY_LIMIT_MAX } from '../../warehouse/keyring/format.ts';
import { count, instant, measure } from './field.ts';
import { wholeNumber } from './params.ts';

/** Limit of a key nobody gave one. */
const DEFAULT_MONTHLY_LIMIT = 100;
/** No key is older than the first of them. */
const YEARS = { min: 2000, max: 9999 };

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
    .meta({
      description: 'Label of the key, 1 to 100 characters; no key and no e-mail address in it.',
      example: 'Acme Travel',
    }),
  email: z
    .email('must be an e-mail address')
    .max(254, 'must have at most 254 characters')
    .refine((email) => !holdsKey(email), 'must not hold a key')
    .meta({ description: 'Contact address; never returned.', example: 'dev@acme.example' }),
  monthly_limit: wholeNumber(
    { min: 1, max: MONTHLY_LIMIT_MAX },
    {
      description: 'Calls per calendar month.',
      example: 5000,
      wire: { default: DEFAULT_MONTHLY_LIMIT },
    },
  ).default(DEFAULT_MONTHLY_LIMIT),
});

const prefix = z
  .string()
  .length(14)
  .describe('The first 14 characters of the key; safe to show and log.');
const monthlyLimit = count('calls', 1).describe('Calls per calendar month.');
const monthCount = count('calls').describe('Calls that count so far this month.');
const allCalls = count('calls').describe('Calls of all time.');

/** Answer of `/api/keys/create`; the only time the key is shown. */
export const createKeyBody = z.strictObject({
  api_key: z.string().describe('The key itself; this answer is the only one that shows it.'),
  prefix,
  monthly_limit: monthlyLimit,
  message: z.string().describe('A reminder to save the key.'),
});

export type CreateKeyBody = z.infer<typeof createKeyBody>;

/** Answer of `/api/keys/validate` to an active key. */
export const validateKeyBody = z.strictObject({
  valid: z.literal(true).describe('True; a key that is unknown or inactive gets 401.'),
  prefix,
  name: z.string().describe('Label of the key.'),
  monthly_limit: monthlyLimit,
  month_count: monthCount,
  total_requests: allCalls,
  created_at: instant.describe('When the key was made, ISO 8601 in UTC.'),
  requests_this_month: monthCount.describe('`month_count` under another name.'),
});

/** Parameters of `/api/keys/usage`; both narrow the history. */
export const usageParams = z.object({
  year: wholeNumber(YEARS, {
    description: 'The rows of this year only.',
    example: 2026,
  }).optional(),
  month: wholeNumber(
    { min: 1, max: 12 },
    { description: '1 to 12: the rows of this month only, of any year.', example: 2 },
  ).optional(),
});

const yearAndMonth = {
  year: count('year').describe('The year.'),
  month: count('month of the year', 1).max(12).describe('1 to 12.'),
};

/** A finished month. */
export const usageEntry = z.strictObject({
  ...yearAndMonth,
  requests: count('calls').describe('Calls of that month.'),
  monthly_limit: monthlyLimit.describe('The limit when the row was written.'),
  usage_pct: measure('%').min(0).describe('Share of the limit that was used; 2 decimals.'),
  logged_at: instant.describe('When the row was written, ISO 8601 in UTC.'),
  period: z.literal('historical').describe('Always `historical`.'),
});

/** Answer of `/api/keys/usage`; history newest first. */
export const usageBody = z.strictObject({
  key_prefix: prefix,
  name: z.string().describe('Label of the key.'),
  current_month: z
    .strictObject({
      ...yearAndMonth,
      requests: monthCount,
      monthly_limit: monthlyLimit,
      period: z.literal('current').describe('Always `current`.'),
    })
    .describe('The month under way, in UTC.'),
  history: z
    .array(usageEntry)
    .max(24)
    .describe('Finished months since the key existed, those without calls too, newest first.'),
  total_requests_all_time: allCalls,
});

export type ValidateKeyBody = z.infer<typeof validateKeyBody>;
export type UsageParams = z.output<typeof usageParams>;
export type UsageBody = z.infer<typeof usageBody>;

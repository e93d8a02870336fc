import { z } from 'zod';
import { containsKey, containsSecret } from '../redact.ts';
import { MONTHLY_LIMIT_MAX } from '../../warehouse/keyring/format.ts';
import { count, instant, measure } from './field.ts';
import { wholeNumber } from './params.ts';

/** Monthly limit of a new key if the call does not set a limit. */
const DEFAULT_MONTHLY_LIMIT = 100;
/** Allowed years. No key is older than the year 2000. */
const YEARS = { min: 2000, max: 9999 };

/** Parameters of `/api/keys/create`, and of the commands that create keys. */
export const createKeyParams = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(100, 'must have at most 100 characters')
    // Control characters are refused, because the name is shown in terminals.
    .refine((name) => /^\P{C}*$/u.test(name), 'must not contain control characters')
    // Names are shown and archived. A secret that was pasted into the wrong field must not become a name.
    .refine((name) => !containsSecret(name), 'must not contain a key or an e-mail address')
    .meta({
      description:
        'Label that names the key, 1 to 100 characters. It must contain neither an API key nor an e-mail address.',
      example: 'Acme Travel',
    }),
  email: z
    .email('must be an e-mail address')
    .max(254, 'must have at most 254 characters')
    .refine((email) => !containsKey(email), 'must not contain a key')
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
  .describe('First 14 characters of the key; safe to show and log.');
const monthlyLimit = count('calls', 1).describe('Calls per calendar month.');
const monthCount = count('calls').describe('Counted calls so far this month.');
const allCalls = count('calls').describe('Counted calls since the key was created.');

/** Response of `/api/keys/create`. Only this response shows the whole key. */
export const createKeyBody = z.strictObject({
  api_key: z.string().describe('The key. Only this response shows it.'),
  prefix,
  monthly_limit: monthlyLimit,
  message: z.string().describe('A reminder to save the key.'),
});

export type CreateKeyBody = z.infer<typeof createKeyBody>;

/** Response of `/api/keys/validate` to an active key. */
export const validateKeyBody = z.strictObject({
  valid: z.literal(true).describe('Always true; an unknown or inactive key gets 401.'),
  prefix,
  name: z.string().describe('Label of the key.'),
  monthly_limit: monthlyLimit,
  month_count: monthCount,
  total_requests: allCalls,
  created_at: instant.describe('Time of creation, ISO 8601 in UTC.'),
  requests_this_month: monthCount.describe('Same value as `month_count`.'),
});

/** Parameters of `/api/keys/usage`. They select past months. */
export const usageParams = z.object({
  year: wholeNumber(YEARS, {
    description: 'Returns only months of this year.',
    example: 2026,
  }).optional(),
  month: wholeNumber(
    { min: 1, max: 12 },
    { description: 'Returns only this month of each year, 1 to 12.', example: 2 },
  ).optional(),
});

const yearAndMonth = {
  year: count('year').describe('The year.'),
  month: count('month of the year', 1).max(12).describe('1 to 12.'),
};

/** Usage of a finished month. */
export const usageEntry = z.strictObject({
  ...yearAndMonth,
  requests: count('calls').describe('Counted calls in that month.'),
  monthly_limit: monthlyLimit.describe('Monthly limit when the month was recorded.'),
  usage_pct: measure('%').min(0).describe('Percentage of the limit that was used; 2 decimals.'),
  logged_at: instant.describe('Time when the month was recorded, ISO 8601 in UTC.'),
  period: z.literal('historical').describe('Always `historical`.'),
});

/** Response of `/api/keys/usage`, newest month first. */
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
    .describe('The current month in UTC.'),
  history: z
    .array(usageEntry)
    .max(24)
    .describe(
      'Finished months since the key was created, newest first. Months without calls are included.',
    ),
  total_requests_all_time: allCalls,
});

export type ValidateKeyBody = z.infer<typeof validateKeyBody>;
export type UsageParams = z.output<typeof usageParams>;
export type UsageBody = z.infer<typeof usageBody>;

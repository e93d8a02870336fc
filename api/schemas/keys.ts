import { z } from 'zod';

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
    .meta({ description: 'Label of the key.', example: 'Acme Travel' }),
  email: z
    .email('must be an e-mail address')
    .max(254, 'must have at most 254 characters')
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

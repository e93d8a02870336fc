import type { CreateKeyBody, UsageBody, ValidateKeyBody } from '../schemas/keys.ts';

/** An example response of each endpoint under `/api/keys/`. */
export const KEY_EXAMPLES = {
  validateKey: {
    valid: true,
    prefix: 'hw_live_1vK7qZ',
    name: 'Acme Travel',
    monthly_limit: 1000,
    month_count: 412,
    total_requests: 5310,
    created_at: '2026-01-15T09:30:00.000Z',
    requests_this_month: 412,
  },
  keyUsage: {
    key_prefix: 'hw_live_1vK7qZ',
    name: 'Acme Travel',
    current_month: { year: 2026, month: 3, requests: 412, monthly_limit: 1000, period: 'current' },
    history: [
      {
        year: 2026,
        month: 2,
        requests: 875,
        monthly_limit: 1000,
        usage_pct: 87.5,
        logged_at: '2026-03-01T00:05:00.412Z',
        period: 'historical',
      },
    ],
    total_requests_all_time: 5310,
  },
  createKey: {
    api_key: 'hw_live_1vK7qZ0TtGm3bXcR9yLwPa5dNe2QZ4sH',
    prefix: 'hw_live_1vK7qZ',
    monthly_limit: 100,
    message: 'Save this key now: it is not stored and cannot be shown again.',
  },
} satisfies { validateKey: ValidateKeyBody; keyUsage: UsageBody; createKey: CreateKeyBody };

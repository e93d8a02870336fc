import { round } from '../../warehouse/ground/numbers.ts';
import type { UsageRow } from '../../warehouse/keyring/history.ts';
import { quotaMonth } from '../../warehouse/keyring/month.ts';
import type { KeyUsage } from '../../warehouse/keyring/keystore.ts';
import type { UsageBody, UsageParams, ValidateKeyBody } from '../schemas/keys.ts';

/** Builds the body of `/api/keys/validate` for a valid key. */
export function validateBodyOf(usage: KeyUsage): ValidateKeyBody {
  return {
    valid: true,
    prefix: usage.prefix,
    name: usage.name,
    monthly_limit: usage.monthlyLimit,
    month_count: usage.monthCount,
    total_requests: usage.totalRequests,
    created_at: usage.createdAt,
    requests_this_month: usage.monthCount,
  };
}

/** Builds the body of `/api/keys/usage`: the current month, and the requested earlier months. */
export function usageBodyOf(usage: KeyUsage, { year, month }: UsageParams, at: Date): UsageBody {
  return {
    key_prefix: usage.prefix,
    name: usage.name,
    current_month: {
      ...yearAndMonth(quotaMonth(at).name),
      requests: usage.monthCount,
      monthly_limit: usage.monthlyLimit,
      period: 'current',
    },
    history: usage.history
      .map(entryOf)
      .filter((entry) => (year ?? entry.year) === entry.year)
      .filter((entry) => (month ?? entry.month) === entry.month),
    total_requests_all_time: usage.totalRequests,
  };
}

function entryOf(row: UsageRow): UsageBody['history'][number] {
  return {
    ...yearAndMonth(row.month),
    requests: row.requests,
    monthly_limit: row.monthlyLimit,
    usage_pct: round((100 * row.requests) / row.monthlyLimit, 2),
    logged_at: row.loggedAt,
    period: 'historical',
  };
}

function yearAndMonth(name: string): { year: number; month: number } {
  return { year: Number(name.slice(0, 4)), month: Number(name.slice(5)) };
}

import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { treeOfSource } from '../../pipelines/flights/source-tree.ts';
import type { ExtractReport } from '../../pipelines/flights/types.ts';
import { removeMonthsOfIncidents } from '../../warehouse/live/incidents.ts';

/** The result of a backfill's parent job. */
export type BackfillResult = {
  /** Name of the backfill: `backfill 2025-01 to 2025-07`. */
  title: string;
  done: number;
  skipped: number;
  /** Months without a result, with the reason. */
  failures: { month: string; why: string }[];
};

type EndedJob = Pick<Job, 'name' | 'data'>;

/** Number of failed months for which a notice gives the reason. Further months are only named. */
const REASONS_SHOWN = 5;

/** The kind of data that a job of a backfill loads, by job name. */
const MONTH_JOBS: Record<string, 'flights' | 'weather'> = {
  'extract-month': 'flights',
  'load-month': 'flights',
  'extract-weather-month': 'weather',
  'load-weather-month': 'weather',
};

/**
 * Whether the job loads a month of a backfill. Such a job opens no incident, because the parent job reports all failed
 * months together.
 */
export function isMonthOfBackfill({ name }: EndedJob): boolean {
  return Object.hasOwn(MONTH_JOBS, name);
}

/** Returns the signal that reports all failed months of a backfill. */
export function backfillSignal({ data }: EndedJob, result: unknown) {
  const { title, done, skipped, failures } = result as BackfillResult;
  const months = done + skipped + failures.length;
  const base = { key: title, kind: 'backfill.failed' } as const;
  if (failures.length === 0) return { ...base, isResolved: true } as const;
  const { kind = 'flights' } = (data ?? {}) as { kind?: string };
  const reasons = failures.slice(0, REASONS_SHOWN).map(({ month, why }) => `${month}: ${why}`);
  const others = failures.slice(REASONS_SHOWN).map(({ month }) => month);
  if (others.length > 0) reasons.push(`also failed: ${others.join(', ')}`);
  return {
    ...base,
    isResolved: false as const,
    text: `${title}: ${failures.length} of ${months} months failed. ${reasons.join('; ')}`,
    months: failures.map(({ month }) => `${kind} ${month}`),
  };
}

/**
 * Removes months that a job has loaded from the incidents of failed backfills. An incident without months ends. Returns
 * whether anything changed.
 */
export async function removeLoadedMonths(
  redis: Pick<Redis, 'hget' | 'hvals' | 'eval'>,
  job: EndedJob,
  result: unknown,
  now: Date,
): Promise<boolean> {
  const months = listLoadedMonths(job, result);
  return months.length > 0 && removeMonthsOfIncidents(redis, months, now);
}

/** Lists the months that a job has loaded, or will load next: `flights 2025-03`. */
function listLoadedMonths({ name, data }: EndedJob, result: unknown): string[] {
  if (name === 'load-month' || name === 'load-weather-month') {
    return [`${MONTH_JOBS[name]} ${(data as { month: string }).month}`];
  }
  if (name !== 'extract-file') return [];
  const { months, source } = result as ExtractReport;
  if (source.provider !== undefined || treeOfSource(source) !== 'flights') return [];
  return months
    .filter(({ outcome }) => outcome !== 'refused')
    .map(({ month }) => `flights ${month}`);
}

import type { Job } from 'bullmq';
import type { MonthResult } from '../../../pipelines/flights/types.ts';

export type BackfillTally = { done: number; skipped: number; failed: number };

/** Counts how the months of a back-fill ended; failed ones did not keep the others from running. */
export async function sumUpBackfill(
  job: Pick<Job, 'getChildrenValues' | 'getIgnoredChildrenFailures'>,
): Promise<BackfillTally> {
  const results = Object.values(await job.getChildrenValues<MonthResult>());
  const failures = Object.keys(await job.getIgnoredChildrenFailures());
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  return { done, skipped: results.length - done, failed: failures.length };
}

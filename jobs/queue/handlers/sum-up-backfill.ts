import { DelayedError } from 'bullmq';
import type { Job } from 'bullmq';
import type { MonthResult } from '../../../pipelines/flights/types.ts';
import type { BackfillData } from '../backfill-jobs.ts';
import { findJob, type JobRef, type Queues } from '../queues.ts';
import { isUnfinished, requestStep } from '../requests.ts';

export type BackfillTally = { done: number; skipped: number; failed: number };

type BackfillJob = Pick<
  Job<BackfillData>,
  'data' | 'timestamp' | 'token' | 'moveToDelayed' | 'getChildrenValues'
>;

/** Shortest and longest wait between two checks of months from other requests. The wait is a tenth of the job's age. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Waits until all months of a backfill have ended, counts the outcomes and starts the follow-up. Goes on after a failed
 * month. The months that this job added are children of this job and have ended when this job starts. While a month of
 * another request is under way, this job is delayed.
 */
export async function sumUpBackfill(
  job: BackfillJob,
  queues: Pick<Queues, 'queue'>,
): Promise<BackfillTally> {
  // Jobs of older versions have no `loads`.
  const { loads = [], andThen } = job.data;
  const refs = loads.map((id): JobRef => ({ queue: 'warehouse', id }));
  for (const ref of refs) {
    if (await isUnfinished(queues, ref)) return postpone(job);
  }
  const outcomes = await readOutcomes(refs, await childResults(job), queues);
  if (andThen) await requestStep(queues, andThen);
  const done = outcomes.filter((outcome) => outcome === 'done').length;
  const failed = outcomes.filter((outcome) => outcome === undefined).length;
  return { done, skipped: outcomes.length - done - failed, failed };
}

async function postpone(job: BackfillJob): Promise<never> {
  const now = Date.now();
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, (now - job.timestamp) / 10));
  await job.moveToDelayed(now + Math.round(waitMs), job.token);
  throw new DelayedError();
}

/**
 * Returns the results of the job's own months by id. BullMQ stores these results even after the months' jobs are
 * removed.
 */
async function childResults(job: BackfillJob): Promise<Map<string, MonthResult>> {
  const values = Object.entries(await job.getChildrenValues<MonthResult>());
  // A key is `prefix:queue:id`.
  return new Map(values.map(([key, result]) => [key.slice(key.lastIndexOf(':') + 1), result]));
}

/** Returns the outcome of each month; undefined if the month failed or its job was removed. */
async function readOutcomes(
  refs: JobRef[],
  results: Map<string, MonthResult>,
  queues: Pick<Queues, 'queue'>,
): Promise<(MonthResult['outcome'] | undefined)[]> {
  return Promise.all(
    refs.map(async (ref) => {
      const job = await findJob(queues, ref);
      // A job has the result of its newest attempt. A failed job has no result.
      const result = job ? (job.returnvalue as MonthResult | null) : results.get(ref.id);
      return result?.outcome;
    }),
  );
}

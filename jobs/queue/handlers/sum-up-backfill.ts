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

/** Waits between two looks at months that other requests brought: a tenth of the time so far, within these limits. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Counts how the months of a back-fill ended, once all have, and starts the follow-up. Failed months do not stop the others.
 * The job's own months are its children, which have ended; while a month of another request is under way, the job is delayed.
 */
export async function sumUpBackfill(
  job: BackfillJob,
  queues: Pick<Queues, 'queue'>,
): Promise<BackfillTally> {
  // A job that an older version added names no loads.
  const { loads = [], andThen } = job.data;
  const refs = loads.map((id): JobRef => ({ queue: 'warehouse', id }));
  for (const ref of refs) {
    if (await isUnfinished(queues, ref)) return lookAgainLater(job);
  }
  const outcomes = await outcomesOf(refs, await childResults(job), queues);
  if (andThen) await requestStep(queues, andThen);
  const done = outcomes.filter((outcome) => outcome === 'done').length;
  const failed = outcomes.filter((outcome) => outcome === undefined).length;
  return { done, skipped: outcomes.length - done - failed, failed };
}

async function lookAgainLater(job: BackfillJob): Promise<never> {
  const now = Date.now();
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, (now - job.timestamp) / 10));
  await job.moveToDelayed(now + Math.round(waitMs), job.token);
  throw new DelayedError();
}

/** Results of the job's own months by id; BullMQ keeps them after their jobs are gone. */
async function childResults(job: BackfillJob): Promise<Map<string, MonthResult>> {
  const values = Object.entries(await job.getChildrenValues<MonthResult>());
  // A key is prefix, queue and id, with colons between them.
  return new Map(values.map(([key, result]) => [key.slice(key.lastIndexOf(':') + 1), result]));
}

/** The outcome of each month; undefined for one that failed or was removed. */
async function outcomesOf(
  refs: JobRef[],
  results: Map<string, MonthResult>,
  queues: Pick<Queues, 'queue'>,
): Promise<(MonthResult['outcome'] | undefined)[]> {
  return Promise.all(
    refs.map(async (ref) => {
      const job = await findJob(queues, ref);
      // The newest attempt counts; a failed job has no result.
      const result = job ? (job.returnvalue as MonthResult | null) : results.get(ref.id);
      return result?.outcome;
    }),
  );
}

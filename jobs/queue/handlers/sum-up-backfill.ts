import type { Job } from 'bullmq';
import type { MonthResult } from '../../../pipelines/flights/types.ts';
import { recordEnd, type Ledger } from '../../../pipelines/ledger.ts';
import type { BackfillData } from '../backfill-jobs.ts';
import { findJob, type JobRef, type Queues } from '../queues.ts';
import { failureReason } from '../failed-reason.ts';
import { extractJobOf } from '../month-jobs.ts';
import { postpone } from '../retry.ts';
import { isUnfinished, requestStep } from '../requests.ts';

export type BackfillTally = {
  /** Name of the backfill: `backfill 2025-01 to 2025-07`. */
  title: string;
  done: number;
  skipped: number;
  failed: number;
  failures: { month: string; why: string }[];
};

type BackfillJob = Pick<
  Job<BackfillData>,
  'data' | 'timestamp' | 'token' | 'moveToDelayed' | 'getChildrenValues'
>;

/**
 * Waits until all months of a backfill have ended, counts and records the outcomes, and starts the follow-up. Failed
 * months do not stop this job. This job's own months are its children, so they have ended when it starts. While a month
 * of another request is under way, this job is delayed.
 */
export async function sumUpBackfill(
  job: BackfillJob,
  queues: Pick<Queues, 'queue'>,
  ledger?: Ledger,
): Promise<BackfillTally> {
  const startedAt = new Date();
  const { loads, andThen } = job.data;
  const refs = loads.map((id): JobRef => ({ queue: 'warehouse', id }));
  for (const ref of refs) {
    if (await isUnfinished(queues, ref)) return postpone(job);
  }
  const outcomes = await readOutcomes(refs, await childResults(job), queues);
  if (andThen) await requestStep(queues, andThen);
  const done = outcomes.filter((outcome) => outcome === 'done').length;
  const failures = await readFailures(
    refs.filter((_, index) => outcomes[index] === undefined),
    queues,
  );
  const failed = failures.length;
  const counts = { done, skipped: refs.length - done - failed, failed };
  const tally = { title: titleOfBackfill(job.data, refs), ...counts, failures };
  if (ledger) await recordTally(tally, ledger, startedAt);
  return tally;
}

async function recordTally(tally: BackfillTally, ledger: Ledger, startedAt: Date): Promise<void> {
  const { title, failures, failed } = tally;
  const names = failures.map(({ month }) => month).join(', ');
  await recordEnd('backfill', ledger, startedAt, {
    inputs: [{ name: title }],
    detail: tally,
    ...(failed > 0 && { error: `these months failed: ${names}` }),
  });
}

/** Returns the name of a backfill: `backfill 2025-01 to 2025-07`, `backfill weather 2025-03`. */
function titleOfBackfill({ kind = 'flights' }: BackfillData, loads: JobRef[]): string {
  const [first = '', last = ''] = [loads.at(0), loads.at(-1)].map((ref) => ref && monthOf(ref));
  const data = kind === 'flights' ? [] : [kind];
  return ['backfill', ...data, first === last ? first : `${first} to ${last}`].join(' ');
}

/** Returns why months failed. If an extract fails, its load fails too, so the extract's reason is used first. */
async function readFailures(
  loads: JobRef[],
  queues: Pick<Queues, 'queue'>,
): Promise<BackfillTally['failures']> {
  return Promise.all(
    loads.map(async (load) => {
      const jobs = [await findJob(queues, extractJobOf(load)), await findJob(queues, load)];
      const job = jobs.find((one) => one?.failedReason);
      const why = job ? failureReason(job) : 'its job was removed from the queue';
      return { month: monthOf(load), why };
    }),
  );
}

/** Returns the month in the id of a job: `2025-03` for `load-flights-2025-03-0123456789ab`. */
function monthOf({ id }: JobRef): string {
  return /\d{4}-\d{2}/.exec(id)?.[0] ?? id;
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

import { DelayedError, UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { interruptQueries } from '../../warehouse/connect.ts';
import type { DiskWatch } from '../processes/disk-space.ts';
import type { JobProgress } from './queues.ts';
import { DiskFullError, isDiskFull } from '../../warehouse/ground/files.ts';

/** Time between two attempts to start a job that waits for disk space. */
const RETRY_MS = 15_000;
/** Time between two disk checks while a job runs. A query writes some ten megabytes in this time. */
const POLL_MS = 100;

/**
 * Delays a job while the disk has too little space for it; a delay does not use up an attempt. If space runs out while
 * the job runs, ends the job with a `DiskFullError`, which is not retried.
 */
export function gateByDisk(
  work: (job: Job) => Promise<unknown>,
  { disk, log }: { disk?: DiskWatch; log: Pick<Logger, 'warn'> },
) {
  if (!disk) return work;
  return async (job: Job, token?: string) => {
    const shortage = await disk.findShortage(job);
    if (shortage === undefined) {
      // Clears the progress message of an earlier delay. A handler may delay the job again for another reason.
      const { isShortOfDisk } = job.progress as Partial<JobProgress>;
      if (isShortOfDisk) await job.updateProgress({ done: 0, total: 1, what: 'started' });
      return runGuarded(() => work(job), disk);
    }
    log.warn({ job: job.id }, `the job waits: ${shortage}`);
    const what = `waiting: ${shortage}`;
    const progress: JobProgress = { done: 0, total: 1, what, isShortOfDisk: true };
    await job.updateProgress(progress);
    await job.moveToDelayed(Date.now() + RETRY_MS, token);
    throw new DelayedError();
  };
}

async function runGuarded<T>(work: () => Promise<T>, { findEmergency }: DiskWatch): Promise<T> {
  let emergency: string | undefined;
  const poll = async () => {
    const current = await findEmergency();
    if (current === undefined) return;
    emergency ??= current;
    // Interrupts repeatedly until the job has ended, because an interruption between two queries has no effect.
    interruptQueries();
  };
  const timer = setInterval(() => void poll(), POLL_MS);
  try {
    return await work();
  } catch (error) {
    if (emergency === undefined && !isDiskFull(error)) throw error;
    const cause = error instanceof Error ? error : new Error(String(error));
    const { message } = new DiskFullError(emergency ?? cause.message);
    throw Object.assign(new UnrecoverableError(message), { cause });
  } finally {
    clearInterval(timer);
  }
}

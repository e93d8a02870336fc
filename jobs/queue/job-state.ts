import type { Job } from 'bullmq';
import type { OpsJobState } from '../../api/schemas/operations.ts';
import type { RunJob } from '../../warehouse/lake/ledger.ts';
import { findJob, QUEUE_NAMES, type QueueName, type Queues } from './queues.ts';

/** Reads a job's state and children, and the first line of each failed attempt's error. */
export async function readJob(
  queues: Pick<Queues, 'queue'>,
  queue: string,
  id: string,
): Promise<OpsJobState | undefined> {
  const name = QUEUE_NAMES.find((one) => one === queue);
  const job = name && (await findJob(queues, { queue: name, id }));
  if (!job) return undefined;
  const {
    processed = {},
    unprocessed = [],
    ignored = {},
    failed = [],
  } = await job.getDependencies();
  const keys = [...Object.keys(processed), ...unprocessed, ...Object.keys(ignored), ...failed];
  return {
    state: await job.getState(),
    errors: (job.stacktrace ?? []).map((text) =>
      (text.split('\n')[0] ?? '').replace(/^Error: /, ''),
    ),
    children: [...new Set(keys)].map(parseJobKey),
  };
}

/** Parses BullMQ's key of a job, `prefix:queue:id`. */
function parseJobKey(key: string): { queue: string; id: string } {
  const [, queue = '', ...id] = key.split(':');
  return { queue, id: id.join(':') };
}

/** Returns the queue, the job and the number of the attempt that is starting. */
export function runJobOf(job: Job, queue: QueueName): RunJob {
  const { id = job.name, attemptsMade, opts, parent } = job;
  return {
    queue,
    id,
    attempt: attemptsMade + 1,
    attempts: opts.attempts ?? 1,
    ...(parent && { parent: parent.id }),
  };
}

import type { Logger } from 'pino';
import type { JobWatch } from '../watch/incidents-of-jobs.ts';
import { listInbox, prepareInbox, type SeenFile } from './inbox-folder.ts';
import { jobId } from './job-id.ts';
import { findJob, openQueuesWithoutEvents, type JobRef } from './queues.ts';
import { addOnce, type QueueAccess } from './requests.ts';

export type InboxDeps = {
  queues: QueueAccess;
  watch: Pick<JobWatch, 'done' | 'failed'>;
  log: Pick<Logger, 'info' | 'warn'>;
  pollMs?: number;
  settleMs?: number;
};

/** Polling also works on network disks, which report no changes that other machines make. */
const POLL_MS = 5_000;
/** A file is complete when its size and time have not changed for this long. */
const SETTLE_MS = 20_000;
/** Wait after a failed job, for example because a folder is read-only. */
const RETRY_MS = 600_000;

/** Name of the job in the incident that is opened if the inbox cannot be read. */
const INBOX_JOB = { name: 'inbox', data: {} };

/** Watches the inbox with queues of its own. Does nothing if no inbox is set. */
export function openInbox(
  folder: string | undefined,
  redisUrl: string,
  deps: Omit<InboxDeps, 'queues'>,
): { close: () => Promise<void> } {
  if (folder === undefined) return { close: async () => undefined };
  const queues = openQueuesWithoutEvents(redisUrl);
  const stop = watchInbox(folder, { ...deps, queues });
  return {
    close: async () => {
      stop();
      await queues.close();
    },
  };
}

/**
 * Watches the inbox, until the returned function is called. Requests a job for each file that is complete. Several
 * workers may watch the same folder: the id of the job contains the file, so each file has one job.
 */
export function watchInbox(folder: string, deps: InboxDeps): () => void {
  const { watch, log, pollMs = POLL_MS, settleMs = SETTLE_MS } = deps;
  const unchangedSince = new Map<string, number>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let problem: string | undefined;
  let isFirst = true;
  const look = async () => {
    await prepareInbox(folder);
    const files = await listInbox(folder);
    const ids = new Set(files.map((file) => inboxJob(file).id));
    for (const id of unchangedSince.keys()) if (!ids.has(id)) unchangedSince.delete(id);
    for (const file of files) {
      const { id } = inboxJob(file);
      const since = unchangedSince.get(id) ?? performance.now();
      unchangedSince.set(id, since);
      if (performance.now() - since >= settleMs) await requestInboxFile(deps.queues, file);
    }
  };
  const lookAgain = async () => {
    const now = await look().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (now !== undefined && now !== problem) log.warn({ folder, problem: now }, 'inbox not read');
    // An earlier worker may have opened the incident, so the first successful poll resolves it.
    if (now === undefined && (isFirst || problem !== undefined)) watch.done(INBOX_JOB, undefined);
    if (now !== undefined && now !== problem) {
      watch.failed(INBOX_JOB, new Error(`${folder}: ${now}`));
    }
    problem = now;
    isFirst = false;
    if (!isClosed) timer = setTimeout(() => void lookAgain(), pollMs).unref();
  };
  void lookAgain();
  return () => {
    isClosed = true;
    clearTimeout(timer);
  };
}

/** Returns the job of a file. A file that was written again has another job. */
function inboxJob(file: SeenFile): JobRef {
  return { queue: 'extract', id: jobId('ingest-inbox', file) };
}

async function requestInboxFile(queues: QueueAccess, file: SeenFile): Promise<void> {
  const ref = inboxJob(file);
  const job = await findJob(queues, ref);
  const failedMsAgo = Date.now() - (job?.finishedOn ?? 0);
  if (job?.failedReason && job.finishedOn !== undefined && failedMsAgo < RETRY_MS) return;
  await addOnce(queues, ref, 'ingest-inbox', file);
}

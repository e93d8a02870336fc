import { basename, dirname } from 'node:path';
import { stat } from 'node:fs/promises';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ExtractReport } from '../../../pipelines/flights/types.ts';
import { fileSha256 } from '../../../warehouse/ground/hashes.ts';
import { recordInboxFile, type InboxFile } from '../../../warehouse/live/inbox.ts';
import { failureReason } from '../failed-reason.ts';
import { isUnchanged, moveFromInbox, type SeenFile } from '../inbox-folder.ts';
import { findJob } from '../queues.ts';
import { postpone } from '../retry.ts';
import { fileJobs, isUnderWay, requestFile, type RequestQueues } from '../requests.ts';

/**
 * Data of the job for a file in the inbox. `sha256` is set once the extract job and the load job of the file have been
 * requested.
 */
export type InboxData = SeenFile & { sha256?: string };

/** The file after the move. The outcome is `changed` if the file is gone or is still being written. */
export type InboxReport = InboxFile | { name: string; outcome: 'changed' };

type InboxJob = Pick<
  Job<InboxData>,
  'data' | 'timestamp' | 'token' | 'updateData' | 'moveToDelayed'
>;

export type IngestInboxDeps = {
  queues: RequestQueues;
  redis?: Pick<Redis, 'hset' | 'hkeys' | 'hdel'> | undefined;
};

/**
 * Ingests a file of the inbox as `make ingest` does, then moves the file. This job adds the extract and load jobs of the
 * file, and is delayed until they have ended. If the worker is killed, this job runs again and changes nothing twice:
 * the file is still in the inbox, equal requests share a job, and the lake does not load an unchanged file again.
 */
export async function ingestInbox(
  job: InboxJob,
  { queues, redis }: IngestInboxDeps,
): Promise<InboxReport> {
  const { path, sha256 } = job.data;
  const name = basename(path);
  // Throws if the folder is missing. The folder may be on a disk that is not mounted, so the file is not necessarily
  // gone.
  await stat(dirname(path));
  if (sha256 === undefined) {
    if (!(await isUnchanged(job.data))) return { name, outcome: 'changed' };
    const hash = await fileSha256(path);
    await requestFile(queues, { path, sha256: hash, inbox: name });
    await job.updateData({ ...job.data, sha256: hash });
    return postpone(job);
  }
  const jobs = fileJobs({ sha256 });
  if (await isUnderWay(queues, jobs)) return postpone(job);
  // The file was extended after it seemed complete. The new content gets another job.
  const isRewritten = !(await isUnchanged(job.data)) && (await isPresent(path));
  if (isRewritten) return { name, outcome: 'changed' };
  const result = await readResult(queues, jobs);
  // The queue no longer has the jobs of the file, for example after a restore of Redis.
  if (!result) {
    const { sha256: _, ...file } = job.data;
    await job.updateData(file);
    return postpone(job);
  }
  const at = new Date(job.timestamp);
  const movedName = await moveFromInbox(job.data, { ...result, at });
  if (movedName === undefined) return { name, outcome: 'changed' };
  const file: InboxFile = { name, at: new Date().toISOString(), ...result };
  if (redis) await recordInboxFile(redis, movedName, file);
  return file;
}

async function isPresent(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

type Result = Pick<InboxFile, 'outcome' | 'why'>;

/** Returns the outcome of the jobs of a file; undefined if the queue no longer has the jobs. */
async function readResult(
  queues: RequestQueues,
  { extract, load }: ReturnType<typeof fileJobs>,
): Promise<Result | undefined> {
  const extracted = await findJob(queues, extract);
  if (!extracted) return undefined;
  if (await extracted.isFailed()) return { outcome: 'refused', why: failureReason(extracted) };
  const loaded = await findJob(queues, load);
  const result = resultOf(extracted.returnvalue as ExtractReport);
  if (!loaded || !(await loaded.isFailed())) return result;
  const why = `the months are in the lake, but not in the warehouse: ${failureReason(loaded)}. The next build loads them`;
  return { outcome: 'refused', why };
}

function resultOf({ months }: ExtractReport): Result {
  const lines = months.map(({ month, outcome, why, rowsLoaded }) => {
    if (outcome === 'refused') {
      return `${month} refused, the month in the lake is unchanged: ${why ?? ''}`;
    }
    return outcome === 'written' ? `${month} loaded, ${rowsLoaded} rows` : `${month} unchanged`;
  });
  const isRefused = months.some(({ outcome }) => outcome === 'refused');
  return { outcome: isRefused ? 'refused' : 'done', why: lines.join('\n') };
}

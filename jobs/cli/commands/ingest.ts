import { basename, resolve } from 'node:path';
import type { ExtractReport } from '../../../pipelines/flights/types.ts';
import type { LoadReport } from '../../../warehouse/build/reports.ts';
import type { CommandContext } from '../context.ts';
import { JobFailedError } from '../../errors.ts';
import { checkFiles, hashFile } from '../input-files.ts';
import { progressLine } from '../progress-line.ts';
import { requestFile } from '../../queue/requests.ts';
import type { ExtractFileData } from '../../queue/queues.ts';
import type { FileJobs } from '../../queue/requests.ts';
import { withJobs } from '../session.ts';
import type { JobSession } from '../session.ts';
import { hasProblem, ingestSummary } from './ingest-summary.ts';
import type { FileResult } from './ingest-summary.ts';

/** What holds for every file: the year where it does not tell it, and whether to replace and redo whatever is held. */
export type IngestOptions = Pick<ExtractFileData, 'year' | 'force' | 'replaces'>;

export type IngestRequest = IngestOptions & { files: string[] };

/** Brings flight files into the warehouse one after another and prints a table; 1 when anything was left out. */
export async function ingest(
  context: CommandContext,
  { files, ...options }: IngestRequest,
): Promise<number> {
  const paths = files.map((file) => resolve(file));
  await checkFiles(paths);
  const results = await withJobs(context, 'ingest', async (session) => {
    const results: FileResult[] = [];
    for (const path of paths) results.push(await ingestFile(context, session, path, options));
    return results;
  });
  context.out.write(ingestSummary(results));
  return hasProblem(results) ? 1 : 0;
}

/** Extracts and loads one file; a file that cannot be is a result, not an error. */
export async function ingestFile(
  context: CommandContext,
  session: JobSession,
  path: string,
  options: IngestOptions = {},
): Promise<FileResult> {
  const name = basename(path);
  const line = progressLine(`hash ${name}`, context.err);
  const sha256 = await hashFile(path, line.show, session.signal).finally(line.end);
  const jobs = await requestFile(session.queues, { path, sha256, ...options });
  try {
    return { name, report: await followFile(session, jobs, name) };
  } catch (error) {
    if (!(error instanceof JobFailedError)) throw error;
    return { name, failure: error.message };
  }
}

async function followFile(session: JobSession, jobs: FileJobs, name: string) {
  try {
    const report = await session.follow<ExtractReport>(jobs.extract, `extract ${name}`);
    await session.follow<LoadReport>(jobs.load, `load ${name}`);
    return report;
  } catch (error) {
    // The load fails with its extract, a moment later; a new request must not meet it half-way.
    if (error instanceof JobFailedError && error.jobId === jobs.extract.id) {
      await session.follow(jobs.load, `load ${name}`).catch(() => undefined);
    }
    throw error;
  }
}

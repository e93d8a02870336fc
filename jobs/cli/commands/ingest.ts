import { basename, resolve } from 'node:path';
import type { ExtractReport, ExtractRequest } from '../../../pipelines/flights/types.ts';
import { partsSha256 } from '../../../pipelines/flights/parts.ts';
import { isFinal } from '../../../warehouse/errors.ts';
import type { LoadReport } from '../../../warehouse/build/reports.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, JobFailedError } from '../../errors.ts';
import { checkFiles, hashFile } from '../input-files.ts';
import { refreshLake } from '../lake-refresh.ts';
import { progressLine } from '../progress-line.ts';
import { requestFile, type FileJobs } from '../../queue/requests.ts';
import type { ExtractFileData } from '../../queue/queues.ts';
import { withJobs, type JobSession } from '../session.ts';
import { hasLoaded, hasProblem, ingestSummary, type FileResult } from './ingest-summary.ts';
import { publishNow } from './publish.ts';

/**
 * Options that apply to every file. They set the year for files without a year. They also decide whether refused months
 * are loaded, whether existing months are replaced, and whether dropped months are left out.
 */
export type IngestOptions = Pick<ExtractFileData, 'year' | 'force' | 'replaces' | 'keepDropped'>;

export type IngestRequest = IngestOptions & {
  files: string[];
  /** Whether the files are parts of the same months. */
  together?: boolean;
  /** Expected SHA-256; for one file only. */
  sha256?: string;
  /** Whether to print the outcome without changing anything. */
  dryRun?: boolean;
  /** Whether to build and publish afterwards. */
  publish?: boolean;
};

/** Reports the outcome of a file without writing anything. */
export type FileTrier = (request: ExtractRequest) => Promise<ExtractReport>;

/** Loads flight files one after another and prints a table. Returns 1 if a file failed or a month was refused. */
export async function ingest(
  context: CommandContext,
  { files, together = false, sha256, dryRun = false, publish = false, ...options }: IngestRequest,
  tryFile: FileTrier,
): Promise<number> {
  const paths = files.map((file) => resolve(file));
  await checkFiles(paths);
  if (sha256 !== undefined) await checkSha256(paths, sha256);
  if (together && options.year !== undefined) {
    throw new CommandError(
      'YEAR= and TOGETHER=1 cannot be combined: YEAR= is for files whose rows have no day, and TOGETHER=1 needs days',
    );
  }
  const sources = together ? [paths] : paths.map((path) => [path]);
  if (dryRun) {
    await refreshLake(context, 'size');
    return tryFiles(context, sources, options, tryFile);
  }
  return withJobs(context, 'ingest', async (session) => {
    const results: FileResult[] = [];
    for (const source of sources) {
      results.push(await ingestFile(context, session, source, options));
    }
    context.out.write(
      ingestSummary(results, { publish, keepVersions: context.config.keepVersions }),
    );
    const code = hasProblem(results) ? 1 : 0;
    if (!publish || !hasLoaded(results)) return code;
    return Math.max(code, await publishNow(context, session));
  });
}

async function tryFiles(
  { out }: Pick<CommandContext, 'out'>,
  sources: string[][],
  options: IngestOptions,
  tryFile: FileTrier,
): Promise<number> {
  const results: FileResult[] = [];
  for (const source of sources) {
    const name = nameOf(source);
    try {
      const request = { ...requestOf(source), ...options, dryRun: true };
      results.push({ name, report: await tryFile(request) });
    } catch (error) {
      if (!isFinal(error)) throw error;
      results.push({ name, failure: error.message });
    }
  }
  out.write(ingestSummary(results, { dryRun: true }));
  return hasProblem(results) ? 1 : 0;
}

async function checkSha256(paths: string[], expected: string): Promise<void> {
  const [path = ''] = paths;
  if (paths.length > 1) throw new CommandError('SHA256= works only with one file');
  if (!/^[0-9a-f]{64}$/i.test(expected)) {
    throw new CommandError('SHA256= must have 64 hexadecimal digits');
  }
  const actual = await hashFile(path, () => undefined, new AbortController().signal);
  if (actual === expected.toLowerCase()) return;
  throw new CommandError(`Nothing was loaded: the sha256 of ${path} is ${actual}, not ${expected}`);
}

/**
 * Extracts and loads one file, or all parts of one source together. Returns a failure as a result instead of throwing
 * an error.
 */
export async function ingestFile(
  context: CommandContext,
  session: JobSession,
  source: string[],
  options: IngestOptions = {},
): Promise<FileResult> {
  const name = nameOf(source);
  const hashes: string[] = [];
  for (const path of source) {
    const line = progressLine(`hash ${basename(path)}`, context.err);
    hashes.push(await hashFile(path, line.show, session.signal).finally(line.end));
  }
  const sha256 = hashes.length === 1 ? (hashes[0] as string) : partsSha256(hashes);
  const jobs = await requestFile(session.queues, { ...requestOf(source), sha256, ...options });
  try {
    return { name, report: await followFile(session, jobs, name) };
  } catch (error) {
    if (!(error instanceof JobFailedError)) throw error;
    return { name, failure: error.message };
  }
}

function requestOf([path = '', ...parts]: string[]): Pick<ExtractRequest, 'path' | 'parts'> {
  return { path, ...(parts.length > 0 && { parts }) };
}

function nameOf(source: string[]): string {
  return source.map((path) => basename(path)).join(' + ');
}

async function followFile(session: JobSession, jobs: FileJobs, name: string) {
  try {
    const report = await session.follow<ExtractReport>(jobs.extract, `extract ${name}`);
    await session.follow<LoadReport>(jobs.load, `load ${name}`);
    return report;
  } catch (error) {
    // If the extract fails, the load fails shortly afterwards. Wait for the end of the load, because a new request
    // could otherwise follow the failing load.
    if (error instanceof JobFailedError && error.jobId === jobs.extract.id) {
      await session.follow(jobs.load, `load ${name}`).catch(() => undefined);
    }
    throw error;
  }
}

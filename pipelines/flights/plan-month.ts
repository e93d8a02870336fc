import path from 'node:path';
import type { MonthManifest } from '../../warehouse/lake/lake.ts';
import { SourceFormatError } from '../../warehouse/errors.ts';
import { SourceOutageError, SourceRefusedError } from '../errors.ts';
import type { HttpGet, HttpResponse } from '../http-get.ts';
import type { SavedFile } from './download.ts';
import type { ExtractMonthDeps } from './extract-month.ts';
import { absenceReason, totalBytes } from './http-answer.ts';
import { monthFileIn, monthUrl, type MonthServer } from './month-source.ts';
import { btsFileName, type Month } from './months.ts';
import type { ExtractReport, ExtractRequest, MonthRequest, ExtentChange } from './types.ts';
import type { Losses, MonthExtent } from '../../warehouse/extract/staged-month.ts';

/** The action that a backfill would take for a month, and its effect. */
export type MonthPlan = {
  month: Month;
  /**
   * `extract`: the lake lacks the month; `replace`: the file or the code has changed; `again`: nothing has changed, but
   * the user forces a reload.
   */
  action: 'extract' | 'replace' | 'again' | 'skip' | 'fail';
  /** The reason why the month would be skipped or would fail. */
  why?: string;
  /** Address or path of the file. */
  from: string;
  /** Size of the file, if known. */
  bytes?: number;
  /** Current and new extent of the month, if the file could be read. */
  replaced?: ExtentChange;
  /** Flights that the lake would lose, if the file could be read; absent if no group would lose a flight. */
  losses?: Losses;
  /** Extent of the month in the lake, if the file could not be read. */
  current?: MonthExtent;
};

export type PlanDeps = Pick<ExtractMonthDeps, 'listFolder' | 'sha256' | 'findExtracted'> & {
  get: HttpGet;
  /** Returns the finished download with this name. */
  findDownload: (name: string) => Promise<SavedFile | undefined>;
  readManifest: (month: Month) => Promise<MonthManifest | undefined>;
  sizeOf: (file: string) => Promise<number>;
  /** Reads a file and reports what loading each of its months would do; writes nothing. */
  dryRunFile: (request: ExtractRequest) => Promise<ExtractReport>;
  /** Returns the extent of a month in the lake. */
  readExtent: (month: Month) => Promise<MonthExtent | undefined>;
};

/** A file of a source: its size if known, and its hash and path if the file is local. */
type FileInfo = { from: string; bytes?: number; sha256?: string; why?: string; path?: string };

/** Plans what a backfill would do with a month. Sends only HEAD requests and changes nothing. */
export async function planMonth(request: MonthRequest, deps: PlanDeps): Promise<MonthPlan> {
  const { month, source, force } = request;
  try {
    const info =
      source.kind === 'url'
        ? await findOnServer(month, source, deps)
        : await findInFolder(request, deps);
    const { sha256, why, path: file, ...rest } = info;
    if (why !== undefined) return { month, action: 'skip', why, ...rest };
    const manifest = await deps.readManifest(month);
    const isUnchanged = sha256 !== undefined && (await isInLake(sha256, month, deps));
    if (isUnchanged && !force) return { month, action: 'skip', why: 'unchanged', ...rest };
    const change = isUnchanged ? 'again' : 'replace';
    const action = manifest === undefined ? 'extract' : change;
    const plan: MonthPlan = { month, action, ...rest };
    if (file !== undefined) return await planFromFile(plan, { path: file, month, force }, deps);
    const current = manifest && (await deps.readExtent(month));
    return { ...plan, ...(current && { current }) };
  } catch (error) {
    const isExpected = [SourceFormatError, SourceOutageError, SourceRefusedError].some(
      (errorClass) => error instanceof errorClass,
    );
    if (!isExpected || !(error instanceof Error)) throw error;
    const from = source.kind === 'url' ? monthUrl(source, month) : source.path;
    return { month, action: 'fail', why: error.message, from };
  }
}

/**
 * Adds the facts from a local file to the plan: whether the month would be refused, and which data the month would
 * replace.
 */
async function planFromFile(
  plan: MonthPlan,
  request: ExtractRequest,
  { dryRunFile }: PlanDeps,
): Promise<MonthPlan> {
  const report = await dryRunFile({ ...request, dryRun: true });
  const refused = report.months.some(({ outcome }) => outcome === 'refused');
  const { replaced, losses } = report.months[0] ?? {};
  const updated = { ...plan, ...(replaced && { replaced }), ...(losses && { losses }) };
  return refused ? { ...updated, action: 'fail', why: report.notes.join('; ') } : updated;
}

async function findInFolder({ month, source }: MonthRequest, deps: PlanDeps): Promise<FileInfo> {
  const folder = source.kind === 'folder' ? source.path : '';
  const name = monthFileIn(folder, await deps.listFolder(folder), month);
  if (name === undefined) return { from: folder, why: 'the folder has no file of this month' };
  const from = path.join(folder, name);
  return { from, bytes: await deps.sizeOf(from), sha256: await deps.sha256(from), path: from };
}

async function findOnServer(month: Month, source: MonthServer, deps: PlanDeps): Promise<FileInfo> {
  const url = monthUrl(source, month);
  const response = await deps.get({ url, method: 'HEAD', headers: {} });
  await response.cancel();
  const why = absenceReason(response);
  if (why !== undefined) return { from: url, why: `not published yet (${why})` };
  const isOk = response.status === 200;
  // A server without support for HEAD may still have the file.
  const isHeadUnsupported = response.status === 405 || response.status === 501;
  if (isHeadUnsupported) return { from: url };
  if (!isOk) throw new SourceOutageError(url, `the server answers ${response.status}`);
  const bytes = totalBytes(response, 0);
  const saved = await deps.findDownload(btsFileName(month, source.table));
  const isDownloaded = saved?.url === url && isSameVersion(saved, response);
  return {
    from: url,
    ...(bytes !== undefined && { bytes }),
    ...(isDownloaded && { sha256: saved.sha256, path: saved.path }),
  };
}

function isSameVersion(saved: SavedFile, { headers }: HttpResponse): boolean {
  const etag = headers.get('etag');
  if (etag !== null) return etag === saved.etag;
  const lastModified = headers.get('last-modified');
  return lastModified !== null && lastModified === saved.lastModified;
}

async function isInLake(
  sha256: string,
  month: Month,
  { findExtracted }: PlanDeps,
): Promise<boolean> {
  const months = await findExtracted(sha256);
  return months.length === 1 && months[0]?.month === month;
}

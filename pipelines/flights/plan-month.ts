import path from 'node:path';
import type { MonthManifest } from '../../warehouse/lake/lake.ts';
import { SourceFormatError, SourceOutageError, SourceRefusedError } from '../errors.ts';
import type { HttpGet, HttpResponse } from '../http-get.ts';
import type { SavedFile } from './download.ts';
import type { ExtractMonthDeps } from './extract-month.ts';
import { absence, totalBytes } from './http-answer.ts';
import { monthFileIn, monthUrl } from './month-source.ts';
import { btsFileName, type Month } from './months.ts';
import type {
  ExtractReport,
  ExtractRequest,
  MonthExtent,
  MonthRequest,
  Replaced,
} from './types.ts';

/** What a back-fill would do with a month. */
export type MonthPlan = {
  month: Month;
  /** `extract`: the lake does not hold the month; `replace`: from another file or other code; `again`: by force. */
  action: 'extract' | 'replace' | 'again' | 'skip' | 'fail';
  /** Why it would be skipped or fail. */
  why?: string;
  /** Address or path of the file. */
  from: string;
  /** Size of the file, where it is known. */
  bytes?: number;
  /** What it would take the place of, where the file is at hand to be read. */
  replaced?: Replaced;
  /** What is held of it, where the file is not. */
  held?: MonthExtent;
};

export type PlanDeps = Pick<ExtractMonthDeps, 'listFolder' | 'sha256' | 'extracted'> & {
  get: HttpGet;
  /** The finished download of that name. */
  saved: (name: string) => Promise<SavedFile | undefined>;
  manifest: (month: Month) => Promise<MonthManifest | undefined>;
  sizeOf: (file: string) => Promise<number>;
  /** Reads a file and says what would become of its months; writes nothing. */
  tryFile: (request: ExtractRequest) => Promise<ExtractReport>;
  /** How much the lake holds of a month. */
  extent: (month: Month) => Promise<MonthExtent | undefined>;
};

/** What is known of the file: its size, and its hash when it is one we have. */
type Known = { from: string; bytes?: number; sha256?: string; why?: string; path?: string };

/** Says what a back-fill would do with a month; asks the server for the headers only and changes nothing. */
export async function planMonth(request: MonthRequest, deps: PlanDeps): Promise<MonthPlan> {
  const { month, source, force } = request;
  try {
    const known =
      source.kind === 'url' ? await atAddress(request, deps) : await inFolder(request, deps);
    const { sha256, why, path: file, ...rest } = known;
    if (why !== undefined) return { month, action: 'skip', why, ...rest };
    const held = await deps.manifest(month);
    const isHeld = sha256 !== undefined && (await isInLake(sha256, month, deps));
    if (isHeld && !force) return { month, action: 'skip', why: 'unchanged', ...rest };
    const change = isHeld ? 'again' : 'replace';
    const action = held === undefined ? 'extract' : change;
    const plan: MonthPlan = { month, action, ...rest };
    if (file !== undefined) return await tried(plan, { path: file, month, force }, deps);
    const extent = held && (await deps.extent(month));
    return { ...plan, ...(extent && { held: extent }) };
  } catch (error) {
    const isExpected = [SourceFormatError, SourceOutageError, SourceRefusedError].some(
      (kind) => error instanceof kind,
    );
    if (!isExpected || !(error instanceof Error)) throw error;
    const from = source.kind === 'url' ? monthUrl(source.base, month) : source.path;
    return { month, action: 'fail', why: error.message, from };
  }
}

/** The plan of a file that is at hand: whether it would be refused, and what it would replace. */
async function tried(
  plan: MonthPlan,
  request: ExtractRequest,
  { tryFile }: PlanDeps,
): Promise<MonthPlan> {
  const report = await tryFile({ ...request, dryRun: true });
  const refused = report.months.some(({ outcome }) => outcome === 'refused');
  const replaced = report.months[0]?.replaced;
  const found = { ...plan, ...(replaced && { replaced }) };
  return refused ? { ...found, action: 'fail', why: report.notes.join('; ') } : found;
}

async function inFolder({ month, source }: MonthRequest, deps: PlanDeps): Promise<Known> {
  const folder = source.kind === 'folder' ? source.path : '';
  const name = monthFileIn(folder, await deps.listFolder(folder), month);
  if (name === undefined) return { from: folder, why: 'no file of it in the folder' };
  const from = path.join(folder, name);
  return { from, bytes: await deps.sizeOf(from), sha256: await deps.sha256(from), path: from };
}

async function atAddress({ month, source }: MonthRequest, deps: PlanDeps): Promise<Known> {
  const url = monthUrl(source.kind === 'url' ? source.base : '', month);
  const response = await deps.get({ url, method: 'HEAD', headers: {} });
  await response.cancel();
  const why = absence(response);
  if (why !== undefined) return { from: url, why: `not out yet (${why})` };
  const isAnswer = response.status === 200;
  // A server that knows no HEAD may still have the file.
  const isUnknown = response.status === 405 || response.status === 501;
  if (isUnknown) return { from: url };
  if (!isAnswer) throw new SourceOutageError(url, `the server answers ${response.status}`);
  const bytes = totalBytes(response, 0);
  const saved = await deps.saved(btsFileName(month));
  const isOurs = saved?.url === url && isSameVersion(saved, response);
  return {
    from: url,
    ...(bytes !== undefined && { bytes }),
    ...(isOurs && { sha256: saved.sha256, path: saved.path }),
  };
}

function isSameVersion(saved: SavedFile, { headers }: HttpResponse): boolean {
  const etag = headers.get('etag');
  if (etag !== null) return etag === saved.etag;
  const lastModified = headers.get('last-modified');
  return lastModified !== null && lastModified === saved.lastModified;
}

async function isInLake(sha256: string, month: Month, { extracted }: PlanDeps): Promise<boolean> {
  const held = await extracted(sha256);
  return held.length === 1 && held[0]?.month === month;
}

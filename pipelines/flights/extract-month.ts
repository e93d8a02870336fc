import path from 'node:path';
import { SourceFormatError } from '../errors.ts';
import type { PipelineSteps } from '../types.ts';
import type { Progress } from '../../warehouse/progress.ts';
import type { Download } from './download.ts';
import type { ExtractDeps } from './extract-deps.ts';
import { monthFileIn, monthUrl } from './month-source.ts';
import { btsFileName, type Month } from './months.ts';
import type { MonthRequest, MonthResult } from './types.ts';

export type ExtractMonthDeps = {
  /** Downloads into a file of that name. */
  fetchFile: (
    request: { url: string; name: string; force: boolean },
    progress: Progress,
  ) => Promise<Download>;
  listFolder: (folder: string) => Promise<string[]>;
  sha256: (file: string) => Promise<string>;
  extracted: ExtractDeps['extracted'];
  extractFile: PipelineSteps['extractFile'];
};

type Found =
  | { path: string; sha256: string; why?: never }
  | { path?: never; sha256?: never; why: string };

/**
 * Gets the file of one month from its source and turns it into the month of the lake, unless it is there already.
 * Throws SourceFormatError when the file holds another month or too many bad rows; the lake is then as it was.
 */
export async function extractMonth(
  request: MonthRequest,
  deps: ExtractMonthDeps,
  progress: Progress,
): Promise<MonthResult> {
  const { month, force } = request;
  const found = await findFile(request, deps, progress);
  if (found.path === undefined) return skipped(month, 'absent', found.why);
  const held = force ? [] : await deps.extracted(found.sha256);
  if (held.length === 1 && held[0]?.month === month) {
    const { loaded, rejected } = held[0].rows;
    const counts = { rowsLoaded: loaded, rowsRejected: rejected };
    return { ...skipped(month, 'unchanged', 'unchanged'), ...counts };
  }
  const report = await deps.extractFile({ path: found.path, month, force }, progress);
  if (report.months.some(({ outcome }) => outcome === 'refused')) {
    throw new SourceFormatError(report.source.name, report.notes.join('; '));
  }
  const { rowsLoaded, rowsRejected } = report;
  const replaced = report.months[0]?.replaced;
  return { month, outcome: 'done', rowsLoaded, rowsRejected, ...(replaced && { replaced }) };
}

async function findFile(
  { month, source, force }: MonthRequest,
  deps: ExtractMonthDeps,
  progress: Progress,
): Promise<Found> {
  if (source.kind === 'url') {
    const wanted = { url: monthUrl(source.base, month), name: btsFileName(month), force };
    const got = await deps.fetchFile(wanted, progress);
    return got.outcome === 'absent' ? { why: `not out yet (${got.why})` } : got.file;
  }
  const name = monthFileIn(source.path, await deps.listFolder(source.path), month);
  if (name === undefined) return { why: 'no file of it in the folder' };
  const file = path.join(source.path, name);
  return { path: file, sha256: await deps.sha256(file) };
}

function skipped(month: Month, outcome: 'unchanged' | 'absent', why: string): MonthResult {
  return { month, outcome, why, rowsLoaded: 0, rowsRejected: 0 };
}

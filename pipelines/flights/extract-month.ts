import path from 'node:path';
import { SourceFormatError } from '../../warehouse/errors.ts';
import type { PipelineSteps } from '../types.ts';
import type { Progress } from '../../warehouse/progress.ts';
import type { Download } from './download.ts';
import type { ExtractDeps } from '../../warehouse/extract/extract-deps.ts';
import { monthFileIn, monthUrl } from './month-source.ts';
import { btsFileName, type Month } from './months.ts';
import type { MonthRequest, MonthResult } from './types.ts';

export type ExtractMonthDeps = {
  /** Downloads into a file with this name. */
  fetchFile: (
    request: { url: string; name: string; force: boolean },
    progress: Progress,
  ) => Promise<Download>;
  listFolder: (folder: string) => Promise<string[]>;
  sha256: (file: string) => Promise<string>;
  findExtracted: ExtractDeps['findExtracted'];
  extractFile: PipelineSteps['extractFile'];
};

type MonthFile =
  | { path: string; sha256: string; why?: never }
  | { path?: never; sha256?: never; why: string };

/**
 * Fetches the file of one month from its source and writes it into the lake, unless the lake has this file already.
 * Throws SourceFormatError if the month is refused or the file contains another month; the lake is then unchanged.
 */
export async function extractMonth(
  request: MonthRequest,
  deps: ExtractMonthDeps,
  progress: Progress,
): Promise<MonthResult> {
  const { month, force } = request;
  const file = await findFile(request, deps, progress);
  if (file.path === undefined) return skippedResult(month, 'absent', file.why);
  const extracted = force ? [] : await deps.findExtracted(file.sha256);
  if (extracted.length === 1 && extracted[0]?.month === month) {
    const { loaded, rejected } = extracted[0].rows;
    const counts = { rowsLoaded: loaded, rowsRejected: rejected };
    return { ...skippedResult(month, 'unchanged', 'unchanged'), ...counts };
  }
  const report = await deps.extractFile({ path: file.path, month, force }, progress);
  if (report.months.some(({ outcome }) => outcome === 'refused')) {
    throw new SourceFormatError(report.source.name, report.notes.join('; '));
  }
  const { rowsLoaded, rowsRejected } = report;
  const { replaced, losses } = report.months[0] ?? {};
  const change = { ...(replaced && { replaced }), ...(losses && { losses }) };
  return { month, outcome: 'done', rowsLoaded, rowsRejected, ...change };
}

async function findFile(
  { month, source, force }: MonthRequest,
  deps: ExtractMonthDeps,
  progress: Progress,
): Promise<MonthFile> {
  if (source.kind === 'url') {
    const request = {
      url: monthUrl(source, month),
      name: btsFileName(month, source.table),
      force,
    };
    const result = await deps.fetchFile(request, progress);
    return result.outcome === 'absent' ? { why: `not published yet (${result.why})` } : result.file;
  }
  const name = monthFileIn(source.path, await deps.listFolder(source.path), month);
  if (name === undefined) return { why: 'the folder has no file of this month' };
  const file = path.join(source.path, name);
  return { path: file, sha256: await deps.sha256(file) };
}

function skippedResult(month: Month, outcome: 'unchanged' | 'absent', why: string): MonthResult {
  return { month, outcome, why, rowsLoaded: 0, rowsRejected: 0 };
}

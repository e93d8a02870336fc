import { sum } from '../../warehouse/ground/sum.ts';
import { SourceFormatError } from '../errors.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { yearOf } from './flight-year.ts';
import type { ExtractDeps, SourceFile } from './extract-deps.ts';
import { sourceReport, unchangedMonth } from './extract-report.ts';
import { isDelayCauses, treeOfSource } from './form.ts';
import { extractParts } from './parts.ts';
import { refuseOtherMonths, replaceMonths } from './replace-source.ts';
import { formOf, refuseOtherBytes } from './source-form.ts';
import type { ExtractReport, ExtractRequest } from './types.ts';

/**
 * Turns one flight file into lake months and reports each. Months with more than 1 % of bad rows, and those with far
 * fewer flights than they would replace, are refused and keep what they held. Throws SourceFormatError when the file as a whole cannot be used; the lake is then as it was.
 */
export async function extractFile(
  request: ExtractRequest,
  deps: ExtractDeps,
  progress: Progress,
): Promise<ExtractReport> {
  const { parts = [] } = request;
  if (parts.length > 0) return extractParts([request.path, ...parts], request, deps, progress);
  const file = await deps.inspect(request.path);
  try {
    return await extractInspected(file, request, deps, progress);
  } finally {
    await file.close();
  }
}

async function extractInspected(
  file: SourceFile,
  request: ExtractRequest,
  deps: ExtractDeps,
  progress: Progress,
): Promise<ExtractReport> {
  refuseOtherBytes(file, await deps.checksumBeside(request.path));
  progress(1, 2, `checked ${file.name}`);
  const form = formOf(file);
  const { year, notes } = yearOf(form, file.name, request);
  const source = { name: file.name, sha256: file.sha256, bytes: file.bytes, form: form.name };

  const force = request.force === true;
  if (request.month !== undefined && isDelayCauses(source)) {
    throw new SourceFormatError(file.name, 'holds the delay-cause table, not flights');
  }
  const tree = treeOfSource(source);
  const extracted = force ? [] : await deps.extracted(file.sha256, tree);
  const inLake = extracted.filter(({ month }) => !year || month.startsWith(`${year}-`));
  const otherYear = extracted.find((held) => !inLake.includes(held))?.month.slice(0, 4);
  if (otherYear !== undefined) {
    const what = `the lake holds this very file as ${otherYear}: is ${year} right?`;
    throw new SourceFormatError(file.name, `${what} FORCE=1 loads it all the same`);
  }
  if (sum(inLake.map(({ rows }) => rows.read)) === file.rowCount) {
    refuseOtherMonths(file, inLake, request.month);
    progress(2, 2, 'unchanged');
    return sourceReport(source, inLake.map(unchangedMonth), {}, notes);
  }

  const staged = await deps.stage(file, form, year);
  try {
    const yearAsked = year === undefined ? undefined : request.year;
    return await replaceMonths(
      { file, source, staged, inLake, notes },
      { ...request, force, yearAsked },
      progress,
    );
  } finally {
    await staged.close();
  }
}

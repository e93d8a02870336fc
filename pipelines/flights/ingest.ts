import { sum } from '../../warehouse/ground/numbers.ts';
import { SourceFormatError } from '../../warehouse/errors.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { yearOf } from './flight-year.ts';
import type { ExtractDeps, SourceFile } from '../../warehouse/extract/extract-deps.ts';
import { buildSourceReport, buildUnchangedReport } from './extract-report.ts';
import { isDelayCauses, treeOfSource } from './source-tree.ts';
import { extractParts } from './parts.ts';
import { refuseOtherMonths, replaceMonths } from './replace-source.ts';
import { formOf, refuseWrongChecksum } from './source-form.ts';
import type { ExtractReport, ExtractRequest } from './types.ts';

/**
 * Name of BTS among the providers. The sources of BTS do not name a provider, because older code wrote these sources
 * without a provider.
 */
const HOME = 'bts';

/**
 * Writes one flight file into the lake, month by month, and reports each month. A month is refused if more than 1 % of
 * its rows are bad, or if the lake would lose too many flights. The lake then keeps its version of the month. If the
 * whole file is refused, throws SourceFormatError and leaves the lake unchanged.
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
  refuseWrongChecksum(file, await deps.checksumBeside(request.path));
  progress(1, 2, `checked ${file.name}`);
  const form = formOf(file);
  const { year, notes } = yearOf(form, file.name, request);
  const source = {
    name: file.name,
    sha256: file.sha256,
    bytes: file.bytes,
    form: form.name,
    ...(form.provider !== HOME && { provider: form.provider }),
  };

  const force = request.force === true;
  if (request.month !== undefined && isDelayCauses(source)) {
    throw new SourceFormatError(file.name, 'contains the delay-cause table, not flights');
  }
  const tree = treeOfSource(source);
  const extracted = force ? [] : await deps.findExtracted(file.sha256, tree, form.provider);
  const extractedMonths = extracted.filter(({ month }) => !year || month.startsWith(`${year}-`));
  const otherYear = extracted.find((month) => !extractedMonths.includes(month))?.month.slice(0, 4);
  if (otherYear !== undefined) {
    const conflict = `the lake has this file as year ${otherYear}: is YEAR=${year} right?`;
    throw new SourceFormatError(file.name, `${conflict} FORCE=1 loads it anyway`);
  }
  if (sum(extractedMonths.map(({ rows }) => rows.read)) === file.rowCount) {
    refuseOtherMonths(file, extractedMonths, request.month);
    progress(2, 2, 'unchanged');
    return buildSourceReport(source, extractedMonths.map(buildUnchangedReport), {}, notes);
  }

  const staged = await deps.stage(file, form, year);
  try {
    const requestedYear = year === undefined ? undefined : request.year;
    return await replaceMonths(
      { file, source, staged, extractedMonths, notes },
      { ...request, force, requestedYear },
      progress,
    );
  } finally {
    await staged.close();
  }
}

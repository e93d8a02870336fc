import { columnKey } from '../../warehouse/ground/column-key.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { SourceFormatError } from '../../warehouse/errors.ts';
import type { ExtractDeps, Part, SourceFile } from '../../warehouse/extract/extract-deps.ts';
import { replaceMonths } from './replace-source.ts';
import { formOf, refuseWrongChecksum } from './source-form.ts';
import type { ExtractReport, ExtractRequest } from './types.ts';

/** Names of the flight-number column in the forms of BTS and in the generic form. */
const FLIGHT_NUMBERS: ReadonlySet<string> = new Set([
  'op_carrier_fl_num',
  'flight_number_reporting_airline',
  'flightnum',
  'flight_number',
  'flight',
]);

/**
 * Writes several files into the lake as one source. The files are parts of the same months, for example one file for
 * each region. A flight in several files is counted once, with the values of the first of these files. Throws
 * `SourceFormatError` if the flights of a file cannot be identified.
 */
export async function extractParts(
  paths: string[],
  request: ExtractRequest,
  deps: ExtractDeps,
  progress: Progress,
): Promise<ExtractReport> {
  const files: SourceFile[] = [];
  try {
    for (const path of paths) {
      const file = await deps.inspect(path);
      files.push(file);
      refuseWrongChecksum(file, await deps.checksumBeside(path));
      progress(files.length, files.length + 2, `checked ${file.name}`);
    }
    return await extractInspected(files, request, deps, progress);
  } finally {
    for (const file of files) await file.close();
  }
}

async function extractInspected(
  files: SourceFile[],
  request: ExtractRequest,
  deps: ExtractDeps,
  progress: Progress,
): Promise<ExtractReport> {
  const parts = files.map((file) => ({ file, form: formOf(file) }));
  refuseAmbiguousParts(parts);
  const hash = partsSha256(files.map((file) => file.sha256));
  const force = request.force === true;
  const extractedMonths = force
    ? []
    : await deps.findExtracted(hash, 'flights', parts[0]?.form.provider);
  const staged = await deps.stageParts(parts);
  try {
    const source = sourceOf(parts, staged.repeated, hash);
    const repeated = sum(staged.repeated);
    const rowCount = sum(files.map((file) => file.rowCount)) - repeated;
    const notes =
      repeated === 0 ? [] : [`${repeated} flights are in several files and are counted once`];
    const file = { name: source.name, rowCount };
    const options = { ...request, force, requestedYear: undefined };
    return await replaceMonths({ file, source, staged, extractedMonths, notes }, options, progress);
  } finally {
    await staged.close();
  }
}

/** Returns one hash for several files, independent of their order. */
export function partsSha256(hashes: string[]): string {
  return sha256(hashes.toSorted().join('\n'));
}

function sourceOf(parts: Part[], repeated: number[], hash: string): SourceRef {
  const forms = [...new Set(parts.map(({ form }) => form.name))];
  return {
    name: parts.map(({ file }) => file.name).join(' + '),
    sha256: hash,
    bytes: sum(parts.map(({ file }) => file.bytes)),
    form: forms.join(' + '),
    ...(parts[0] && parts[0].form.provider !== 'bts' && { provider: parts[0].form.provider }),
    parts: parts.map(({ file, form }, index) => ({
      name: file.name,
      sha256: file.sha256,
      bytes: file.bytes,
      form: form.name,
      rows: file.rowCount,
      repeated: repeated[index] ?? 0,
    })),
  };
}

/**
 * A flight is identified by day, time, airline, number and airports. If a file lacks one of these values, two of its
 * rows may describe the same flight.
 */
function refuseAmbiguousParts(parts: Part[]): void {
  const [first] = parts;
  const hashes = new Set<string>();
  for (const { file, form } of parts) {
    const findProblem = () => {
      if (hashes.has(file.sha256)) return 'is listed twice';
      if (form.kind !== 'flights') return 'has no single flights';
      if (form.calendar !== 'date' || form.hasTimes === false) {
        return `lacks the day or time of its flights (form ${form.name})`;
      }
      const ownColumn = columnKey(form.flightNumber ?? '');
      const hasNumbers = (key: string) => FLIGHT_NUMBERS.has(key) || key === ownColumn;
      if (!file.header.some((name) => hasNumbers(columnKey(name)))) {
        return 'has no flight-number column';
      }
      if (form.provider !== first?.form.provider) {
        return `is from the provider ${form.provider}, but ${first?.file.name} is from ${first?.form.provider}`;
      }
      if (form.delayBasis !== first?.form.delayBasis) {
        return `has ${form.delayBasis} delays, but ${first?.file.name} has ${first?.form.delayBasis} delays`;
      }
      return undefined;
    };
    const problem = findProblem();
    if (problem !== undefined) {
      throw new SourceFormatError(file.name, `cannot be combined with other files: it ${problem}`);
    }
    hashes.add(file.sha256);
  }
}

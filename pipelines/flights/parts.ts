import { sha256 } from '../../warehouse/ground/sha256.ts';
import { sum } from '../../warehouse/ground/sum.ts';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { SourceFormatError } from '../errors.ts';
import type { ExtractDeps, Part, SourceFile } from './extract-deps.ts';
import { FLIGHT_NUMBERS } from './forms.ts';
import { replaceMonths } from './replace-source.ts';
import { formOf, refuseOtherBytes } from './source-form.ts';
import type { ExtractReport, ExtractRequest } from './types.ts';

/**
 * Turns files that are parts of the same months, such as regions, into lake months of all of them. A flight that several have
 * counts once, as the first of them tells it. Throws `SourceFormatError` for parts whose flights cannot be told apart.
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
      refuseOtherBytes(file, await deps.checksumBeside(path));
      progress(files.length, files.length + 2, `checked ${file.name}`);
    }
    return await extractTogether(files, request, deps, progress);
  } finally {
    for (const file of files) await file.close();
  }
}

async function extractTogether(
  files: SourceFile[],
  request: ExtractRequest,
  deps: ExtractDeps,
  progress: Progress,
): Promise<ExtractReport> {
  const parts = files.map((file) => ({ file, form: formOf(file) }));
  refuseUntold(parts);
  const hash = partsSha256(files.map((file) => file.sha256));
  const force = request.force === true;
  const inLake = force ? [] : await deps.extracted(hash, 'flights');
  const staged = await deps.stageParts(parts);
  try {
    const source = sourceOf(parts, staged.repeated, hash);
    const repeated = sum(staged.repeated);
    const rowCount = sum(files.map((file) => file.rowCount)) - repeated;
    const notes = repeated === 0 ? [] : [`${repeated} flights are in several parts and count once`];
    const file = { name: source.name, rowCount };
    const options = { ...request, force, yearAsked: undefined };
    return await replaceMonths({ file, source, staged, inLake, notes }, options, progress);
  } finally {
    await staged.close();
  }
}

/** Names parts by their content, in whatever order they are given. */
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

/** A flight is told by its day, time, airline, number and airports: without these, two of them may be one. */
function refuseUntold(parts: Part[]): void {
  const [first] = parts;
  const hashes = new Set<string>();
  for (const { file, form } of parts) {
    const problem = () => {
      if (hashes.has(file.sha256)) return 'is given twice';
      if (form.kind !== 'flights') return 'holds no single flights';
      if (form.calendar !== 'date' || form.hasTimes === false) {
        return `does not tell the day and time of each flight (${form.name})`;
      }
      if (!file.header.some((name) => FLIGHT_NUMBERS.has(name.toLowerCase()))) {
        return 'has no column of flight numbers';
      }
      if (form.delayBasis !== first?.form.delayBasis) {
        return `tells delays at ${form.delayBasis}, ${first?.file.name} at ${first?.form.delayBasis}`;
      }
      return undefined;
    };
    const why = problem();
    if (why !== undefined) {
      throw new SourceFormatError(file.name, `cannot be given together with others: it ${why}`);
    }
    hashes.add(file.sha256);
  }
}

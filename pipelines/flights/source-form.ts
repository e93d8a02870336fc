import { SourceFormatError } from '../../warehouse/errors.ts';
import { isObservations } from '../weather/observations.ts';
import { detectForm } from './detect-form.ts';
import type { SourceFile } from '../../warehouse/extract/extract-deps.ts';
import type { FlightForm } from '../../warehouse/extract/form.ts';

/**
 * Returns the form of a file from its header. If no form matches, throws `SourceFormatError` with the nearest form and
 * the columns that the file lacks for it.
 */
export function formOf(file: SourceFile): FlightForm {
  const detection = detectForm(file.header, file.delimiter);
  if (detection.form) {
    return detection.form;
  }
  const description = describeOtherFile(file);
  if (description !== undefined) throw new SourceFormatError(file.name, description);
  const missing = detection.missing.map((name) => name.replaceAll('|', ' or ')).join(', ');
  throw new SourceFormatError(
    file.name,
    `unknown header; the most similar file form is ${detection.nearest.name}, but these columns are missing: ${missing}`,
  );
}

/** Describes a file that is not a comma-separated table of flights; undefined if the header gives no hint. */
function describeOtherFile({
  header,
  delimiter,
}: Pick<SourceFile, 'header' | 'delimiter'>): string | undefined {
  if (delimiter === ';') {
    return 'the columns are separated by ";", and no provider with ";" in its files has this header';
  }
  const line = header.join(',');
  if (isObservations(line)) {
    return 'contains hourly weather, not flights; load it with make backfill-weather SOURCE=';
  }
  const separator = ['\t', '|'].find((one) => line.split(one).length > header.length);
  if (separator === undefined) return undefined;
  const name = separator === '\t' ? 'tabs' : `"${separator}"`;
  return `the columns are separated by ${name}; only commas are supported`;
}

/** Throws `SourceFormatError` if the file differs from the checksum file beside it. */
export function refuseWrongChecksum(
  { name, sha256 }: SourceFile,
  expected: string | undefined,
): void {
  if (expected === undefined || expected.toLowerCase() === sha256) return;
  throw new SourceFormatError(
    name,
    `is damaged: its sha256 is ${sha256}, not ${expected}; download the file again`,
  );
}

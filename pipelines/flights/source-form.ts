import { SourceFormatError } from '../errors.ts';
import { isObservations } from '../weather/observations.ts';
import { detectForm } from './detect-form.ts';
import type { SourceFile } from './extract-deps.ts';
import type { FlightForm } from './form.ts';

/** The form of a file by its header; throws `SourceFormatError` naming the columns it lacks of the nearest one. */
export function formOf(file: SourceFile): FlightForm {
  const detection = detectForm(file.header);
  if (detection.form) {
    return detection.form;
  }
  const other = otherThanFlights(file.header);
  if (other !== undefined) throw new SourceFormatError(file.name, other);
  const missing = detection.missing.map((name) => name.replaceAll('|', ' or ')).join(', ');
  throw new SourceFormatError(
    file.name,
    `unknown header; nearest to the form ${detection.nearest.name}, without the columns: ${missing}`,
  );
}

/** What a header is that is none of flights in a table with commas; undefined where that is not known. */
function otherThanFlights(header: readonly string[]): string | undefined {
  const line = header.join(',');
  if (isObservations(line)) {
    return 'holds hourly weather, not flights: make backfill-weather SOURCE= reads it';
  }
  const separator = [';', '\t', '|'].find((one) => line.split(one).length > header.length);
  if (separator === undefined) return undefined;
  const name = separator === '\t' ? 'tabs' : `"${separator}"`;
  return `separates its columns by ${name}, not by commas`;
}

/** Throws `SourceFormatError` for a file that is not what stands in the file beside it. */
export function refuseOtherBytes({ name, sha256 }: SourceFile, expected: string | undefined): void {
  if (expected === undefined || expected.toLowerCase() === sha256) return;
  throw new SourceFormatError(
    name,
    `is damaged: its sha256 is ${sha256}, not ${expected}; get the file again`,
  );
}

import { SourceFormatError } from '../errors.ts';
import { detectForm } from './detect-form.ts';
import type { SourceFile } from './extract-deps.ts';
import type { FlightForm } from './form.ts';

/** The form of a file by its header; throws `SourceFormatError` naming the columns it lacks of the nearest one. */
export function formOf(file: SourceFile): FlightForm {
  const detection = detectForm(file.header);
  if (detection.form) {
    return detection.form;
  }
  const missing = detection.missing.map((name) => name.replaceAll('|', ' or ')).join(', ');
  throw new SourceFormatError(
    file.name,
    `unknown header; nearest to the form ${detection.nearest.name}, without the columns: ${missing}`,
  );
}

/** Throws `SourceFormatError` for a file that is not what stands in the file beside it. */
export function refuseOtherBytes({ name, sha256 }: SourceFile, expected: string | undefined): void {
  if (expected === undefined || expected.toLowerCase() === sha256) return;
  throw new SourceFormatError(
    name,
    `is damaged: its sha256 is ${sha256}, not ${expected}; get the file again`,
  );
}

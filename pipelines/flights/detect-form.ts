import { columnKey } from '../../warehouse/ground/column-key.ts';
import { FLIGHT_FORMS } from '../providers/index.ts';
import type { SourceFile } from '../../warehouse/extract/extract-deps.ts';
import type { FlightForm } from '../../warehouse/extract/form.ts';

export type Detection =
  | { form: FlightForm; nearest?: undefined; missing?: undefined }
  | { form?: undefined; nearest: FlightForm; missing: string[] };

/**
 * Returns the form of a header, ignoring letter case, accents and underscores. If no form matches, returns the nearest
 * form and the columns that are missing for that form.
 */
export function detectForm(
  header: readonly string[],
  delimiter: SourceFile['delimiter'] = ',',
): Detection {
  const columns = new Set(header.map(columnKey));
  const candidates = FLIGHT_FORMS.map((form) => ({
    form,
    missing: form.required.filter(
      (name) => !alternatives(name).some((one) => columns.has(columnKey(one))),
    ),
  }));
  const match = candidates.find(
    ({ form, missing }) => missing.length === 0 && (form.delimiter ?? ',') === delimiter,
  );
  if (match) {
    return { form: match.form };
  }
  // Compares shares of missing columns, not their numbers: a form with few columns would otherwise be the nearest to
  // any header.
  const share = ({ form, missing }: (typeof candidates)[number]) =>
    missing.length / form.required.length;
  const nearest = candidates.reduce((best, next) => (share(next) < share(best) ? next : best));
  return { nearest: nearest.form, missing: nearest.missing };
}

function alternatives(name: string): string[] {
  return name.split('|');
}

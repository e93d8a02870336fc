import { FLIGHT_FORMS } from './forms.ts';
import type { FlightForm } from './form.ts';

export type Detection =
  | { form: FlightForm; nearest?: undefined; missing?: undefined }
  | { form?: undefined; nearest: FlightForm; missing: string[] };

/** The form of a header (its columns in any case), or the form it comes nearest to and what that lacks. */
export function detectForm(header: readonly string[]): Detection {
  const columns = new Set(header.map((name) => name.toLowerCase()));
  const candidates = FLIGHT_FORMS.map((form) => ({
    form,
    missing: form.required.filter((name) => !alternatives(name).some((one) => columns.has(one))),
  }));
  const found = candidates.find(({ missing }) => missing.length === 0);
  if (found) {
    return { form: found.form };
  }
  // Shares, not counts: a form of few columns would otherwise be the nearest to anything.
  const share = ({ form, missing }: (typeof candidates)[number]) =>
    missing.length / form.required.length;
  const nearest = candidates.reduce((best, next) => (share(next) < share(best) ? next : best));
  return { nearest: nearest.form, missing: nearest.missing };
}

function alternatives(name: string): string[] {
  return name.split('|');
}

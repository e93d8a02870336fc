import { SourceFormatError } from '../../warehouse/errors.ts';
import type { FlightForm } from '../../warehouse/extract/form.ts';
import type { ExtractRequest } from './types.ts';

/**
 * Returns the year for a file whose rows have no year: the requested year or, if no year was requested, the year in the
 * file name. Also returns notes for the user. Throws SourceFormatError if there is no year, or if the two years differ
 * and the load is not forced.
 */
export function yearOf(
  form: FlightForm,
  name: string,
  { year: requested, force = false }: Pick<ExtractRequest, 'year' | 'force'>,
): { year: number | undefined; notes: string[] } {
  if (form.calendar !== 'month') {
    const notes = requested ? [`YEAR=${requested} is ignored: the rows already have a year`] : [];
    return { year: undefined, notes };
  }
  if (requested !== undefined && !isPlausibleYear(requested)) {
    throw new SourceFormatError(name, `YEAR=${requested} is not a year from 1987 to 2100`);
  }
  const yearFromName = yearInName(name);
  if (
    requested !== undefined &&
    yearFromName !== undefined &&
    requested !== yearFromName &&
    !force
  ) {
    const conflict = `YEAR=${requested}, but the file name has ${yearFromName}`;
    throw new SourceFormatError(name, `${conflict}; FORCE=1 loads it anyway`);
  }
  const year = requested ?? yearFromName;
  if (year === undefined) {
    throw new SourceFormatError(name, 'the rows have months but no year: pass YEAR=');
  }
  const notes = requested
    ? []
    : [`the rows have no year; ${year} is taken from the file name, and YEAR= overrides it`];
  return { year, notes };
}

/** Returns the only plausible year in a file name; undefined if the name has no year or several. */
export function yearInName(name: string): number | undefined {
  const years = new Set(name.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g));
  const [year] = years;
  return years.size === 1 && year !== undefined && isPlausibleYear(Number(year))
    ? Number(year)
    : undefined;
}

/** Whether BTS can have records of this year. They begin in October 1987. */
export function isPlausibleYear(year: number): boolean {
  return Number.isInteger(year) && year >= 1987 && year <= 2100;
}

import { SourceFormatError } from '../errors.ts';
import type { FlightForm } from './form.ts';
import type { ExtractRequest } from './types.ts';

/**
 * The year of a file whose rows tell none: that asked for, else that in its name; and what to say of it. Throws
 * SourceFormatError where there is neither, and where they contradict each other, unless it is forced.
 */
export function yearOf(
  form: FlightForm,
  name: string,
  { year: requested, force = false }: Pick<ExtractRequest, 'year' | 'force'>,
): { year: number | undefined; notes: string[] } {
  if (form.calendar !== 'month') {
    const notes = requested ? [`YEAR=${requested} is not needed: the rows tell their year`] : [];
    return { year: undefined, notes };
  }
  if (requested !== undefined && !isPlausibleYear(requested)) {
    throw new SourceFormatError(name, `YEAR=${requested} is no year of flight records (1987–2100)`);
  }
  const named = yearInName(name);
  if (requested !== undefined && named !== undefined && requested !== named && !force) {
    const what = `YEAR=${requested}, but its name says ${named}`;
    throw new SourceFormatError(name, `${what}; FORCE=1 loads it all the same`);
  }
  const year = requested ?? named;
  if (year === undefined) {
    throw new SourceFormatError(name, 'the rows have months but no year: pass YEAR=');
  }
  const notes = requested
    ? []
    : [`the year ${year} is taken from the file name, for the rows have none; YEAR= overrides it`];
  return { year, notes };
}

/** The one plausible year in a file name, or undefined when there is none or more than one. */
export function yearInName(name: string): number | undefined {
  const years = new Set(name.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g));
  const [year] = years;
  return years.size === 1 && year !== undefined && isPlausibleYear(Number(year))
    ? Number(year)
    : undefined;
}

/** BTS keeps on-time records from October 1987. */
export function isPlausibleYear(year: number): boolean {
  return Number.isInteger(year) && year >= 1987 && year <= 2100;
}

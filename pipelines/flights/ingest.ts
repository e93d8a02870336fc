import { sum } from '../../warehouse/ground/sum.ts';
import type { LakeTree, SourceRef } from '../../warehouse/lake/lake.ts';
import { SourceFormatError } from '../errors.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { detectForm } from './detect-form.ts';
import { isPlausibleYear, yearInName } from './flight-year.ts';
import { monthReport, sourceReport, unchangedMonth } from './extract-report.ts';
import { isDelayCauses, type FlightForm } from './form.ts';
import { isTooMany, reasons, refusalOf, total } from './refusal.ts';
import type {
  ExtractReport,
  ExtractRequest,
  HeldMonth,
  MonthReport,
  StagedMonth,
} from './types.ts';

/** What a file is, found by reading it through once. */
export type SourceFile = {
  /** Where its rows are: the file itself, or what a zip was unpacked to. */
  path: string;
  name: string;
  bytes: number;
  sha256: string;
  /** By its first bytes, whatever the name says. */
  container: 'csv' | 'csv.gz' | 'zip' | 'parquet';
  /** Column names as written. */
  header: string[];
  /** Rows after the header, counted apart from the reader that loads them. */
  rowCount: number;
  /** Line numbers of blank lines; they are no rows. */
  blankLines: number[];
  /** Removes what a zip was unpacked to. */
  close: () => Promise<void>;
};

/** The rows of a file, checked, and ready to be written by month. */
export type StagedSource = {
  /** Ascending by month. */
  months: StagedMonth[];
  /** Rejected rows no month could be read from, by reason. */
  undatedRejects: Record<string, number>;
  /** Scheduled flights the lake holds of a month; undefined when it holds none it can vouch for. */
  flightsHeld: (month: string) => Promise<number | undefined>;
  /** SHA-256 of the source the lake holds a month of; undefined when it holds none it can vouch for. */
  sourceHeld: (month: string) => Promise<string | undefined>;
  /** Replaces the month in the lake; what was there counts until everything new is on disk. */
  writeMonth: (month: StagedMonth, source: SourceRef) => Promise<void>;
  /** Writes only the rejected rows of a month (undefined: of none) and returns the file. */
  quarantine: (month: string | undefined, source: SourceRef) => Promise<string>;
  close: () => Promise<void>;
};

export type ExtractDeps = {
  /** Throws SourceFormatError for what is no flight file, whatever its columns. */
  inspect: (path: string) => Promise<SourceFile>;
  /**
   * Months of the lake that this very source gave under this code version, their files all in place; of flights, where
   * nothing else is asked for.
   */
  extracted: (sha256: string, tree?: LakeTree) => Promise<HeldMonth[]>;
  /** Reads and checks every row; `year` is for forms that do not tell it. */
  stage: (file: SourceFile, form: FlightForm, year: number | undefined) => Promise<StagedSource>;
};

/**
 * Turns one flight file into lake months and reports each. Months with more than 1 % of bad rows, and those with far
 * fewer flights than they would replace, are refused and keep what they held. Throws SourceFormatError when the file as a whole cannot be used; the lake is then as it was.
 */
export async function extractFile(
  request: ExtractRequest,
  deps: ExtractDeps,
  progress: Progress,
): Promise<ExtractReport> {
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
  progress(1, 2, `checked ${file.name}`);
  const form = formOf(file);
  const { year, notes } = yearOf(form, file.name, request.year);
  const source = { name: file.name, sha256: file.sha256, bytes: file.bytes, form: form.name };

  const force = request.force === true;
  if (request.month !== undefined && isDelayCauses(source)) {
    throw new SourceFormatError(file.name, 'holds the delay-cause table, not flights');
  }
  const tree = isDelayCauses(source) ? 'levels' : 'flights';
  const extracted = force ? [] : await deps.extracted(file.sha256, tree);
  const inLake = extracted.filter(({ month }) => !year || month.startsWith(`${year}-`));
  if (sum(inLake.map(({ rows }) => rows.read)) === file.rowCount) {
    refuseOtherMonths(file, inLake, request.month);
    progress(2, 2, 'unchanged');
    return sourceReport(source, inLake.map(unchangedMonth), {}, notes);
  }

  const staged = await deps.stage(file, form, year);
  try {
    progress(2, 2 + staged.months.length, `read ${file.rowCount} rows`);
    checkEveryRowIsThere(file, staged);
    refuseOtherMonths(file, staged.months, request.month);
    await refuseWhenUndated(file, staged, source, notes);
    const months: MonthReport[] = [];
    for (const month of staged.months) {
      const held = inLake.find((manifest) => manifest.month === month.month);
      const kept = held
        ? monthReport(month, 'unchanged')
        : await keepOrRefuse(month, staged, source, notes, { force, replaces: request.replaces });
      months.push(kept);
      progress(2 + months.length, 2 + staged.months.length, `${month.month} ${kept.outcome}`);
    }
    return sourceReport(source, months, staged.undatedRejects, notes);
  } finally {
    await staged.close();
  }
}

function formOf(file: SourceFile): FlightForm {
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

function yearOf(form: FlightForm, name: string, requested: number | undefined) {
  if (form.calendar !== 'month') {
    const notes = requested ? [`YEAR=${requested} is not needed: the rows tell their year`] : [];
    return { year: undefined, notes };
  }
  if (requested !== undefined && !isPlausibleYear(requested)) {
    throw new SourceFormatError(name, `YEAR=${requested} is no year of flight records (1987–2100)`);
  }
  const named = yearInName(name);
  const year = requested ?? named;
  if (year === undefined) {
    throw new SourceFormatError(name, 'the rows have months but no year: pass YEAR=');
  }
  const notes = requested
    ? []
    : [`the year ${year} is taken from the file name, for the rows have none; YEAR= overrides it`];
  return { year, notes };
}

function checkEveryRowIsThere(file: SourceFile, staged: StagedSource): void {
  const found = sum(staged.months.map(({ rowsRead }) => rowsRead)) + total(staged.undatedRejects);
  if (found !== file.rowCount) {
    throw new SourceFormatError(
      file.name,
      `holds ${file.rowCount} rows but ${found} were read; a quoted value may run over a line end`,
    );
  }
}

function refuseOtherMonths(
  file: SourceFile,
  held: { month: string }[],
  asked: string | undefined,
): void {
  if (asked === undefined || (held.length === 1 && held[0]?.month === asked)) {
    return;
  }
  const months = held.map(({ month }) => month).join(', ') || 'no month';
  throw new SourceFormatError(file.name, `holds ${months}, not just ${asked}`);
}

async function refuseWhenUndated(
  file: SourceFile,
  staged: StagedSource,
  source: SourceRef,
  notes: string[],
): Promise<void> {
  const undated = total(staged.undatedRejects);
  if (undated === 0) {
    return;
  }
  const quarantine = await staged.quarantine(undefined, source);
  const detail = `${undated} of ${file.rowCount} rows tell no month (${reasons(staged.undatedRejects)}); see ${quarantine}`;
  if (isTooMany(undated, file.rowCount)) {
    throw new SourceFormatError(file.name, detail);
  }
  notes.push(detail);
}

async function keepOrRefuse(
  month: StagedMonth,
  staged: StagedSource,
  source: SourceRef,
  notes: string[],
  { force, replaces }: { force: boolean; replaces: readonly string[] | undefined },
): Promise<MonthReport> {
  const held = await staged.sourceHeld(month.month);
  const flightsHeld = await staged.flightsHeld(month.month);
  const isSpared =
    replaces !== undefined && held !== undefined && ![source.sha256, ...replaces].includes(held);
  const refusal = refusalOf(month, { flightsHeld, force, isSpared });
  if (refusal === undefined) {
    await staged.writeMonth(month, source);
    return monthReport(month, 'written');
  }
  const { why, isDirty } = refusal;
  const see = isDirty ? `; see ${await staged.quarantine(month.month, source)}` : '';
  notes.push(`${month.month} refused: ${why}${see}`);
  return { ...monthReport(month, 'refused'), why };
}

import { sum } from '../../warehouse/ground/sum.ts';
import type { LakeTree, SourceRef } from '../../warehouse/lake/lake.ts';
import { SourceFormatError } from '../errors.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { detectForm } from './detect-form.ts';
import { yearOf } from './flight-year.ts';
import { monthReport, sourceReport, unchangedMonth } from './extract-report.ts';
import { isDelayCauses, type FlightForm } from './form.ts';
import { isTooMany, reasons, total } from './refusal.ts';
import { replaceMonth } from './replace-month.ts';
import type { StagedSource } from './staged-source.ts';
import type { ExtractReport, ExtractRequest, HeldMonth, MonthReport } from './types.ts';

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

export type ExtractDeps = {
  /** Throws SourceFormatError for what is no flight file, whatever its columns. */
  inspect: (path: string) => Promise<SourceFile>;
  /** The SHA-256 that stands in a file beside it; undefined where there is none. */
  checksumBeside: (path: string) => Promise<string | undefined>;
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
  refuseOtherBytes(file, await deps.checksumBeside(request.path));
  progress(1, 2, `checked ${file.name}`);
  const form = formOf(file);
  const { year, notes } = yearOf(form, file.name, request);
  const source = { name: file.name, sha256: file.sha256, bytes: file.bytes, form: form.name };

  const force = request.force === true;
  if (request.month !== undefined && isDelayCauses(source)) {
    throw new SourceFormatError(file.name, 'holds the delay-cause table, not flights');
  }
  const tree = isDelayCauses(source) ? 'levels' : 'flights';
  const extracted = force ? [] : await deps.extracted(file.sha256, tree);
  const inLake = extracted.filter(({ month }) => !year || month.startsWith(`${year}-`));
  const otherYear = extracted.find((held) => !inLake.includes(held))?.month.slice(0, 4);
  if (otherYear !== undefined) {
    const what = `the lake holds this very file as ${otherYear}: is ${year} right?`;
    throw new SourceFormatError(file.name, `${what} FORCE=1 loads it all the same`);
  }
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
    await refuseWhenUndated(file, staged, source, notes, request.dryRun);
    const options = { ...request, force, yearAsked: year === undefined ? undefined : request.year };
    const months: MonthReport[] = [];
    for (const month of staged.months) {
      const held = inLake.find((manifest) => manifest.month === month.month);
      const kept = held
        ? monthReport(month, 'unchanged')
        : await replaceMonth(month, staged, source, notes, options);
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

function refuseOtherBytes({ name, sha256 }: SourceFile, expected: string | undefined): void {
  if (expected === undefined || expected.toLowerCase() === sha256) return;
  throw new SourceFormatError(name, `is damaged: its sha256 is ${sha256}, not ${expected}`);
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
  dryRun = false,
): Promise<void> {
  const undated = total(staged.undatedRejects);
  if (undated === 0) {
    return;
  }
  const see = dryRun ? '' : `; see ${await staged.quarantine(undefined, source)}`;
  const detail = `${undated} of ${file.rowCount} rows tell no month (${reasons(staged.undatedRejects)})${see}`;
  if (isTooMany(undated, file.rowCount)) {
    throw new SourceFormatError(file.name, detail);
  }
  notes.push(detail);
}

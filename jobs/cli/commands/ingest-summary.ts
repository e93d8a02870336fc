import { sum } from '../../../warehouse/ground/sum.ts';
import { isDelayCauses, treeOfSource } from '../../../pipelines/flights/form.ts';
import type { ExtractReport, MonthReport } from '../../../pipelines/flights/types.ts';
import type { MonthRef } from '../../../warehouse/lake/versions.ts';
import { replacedLines } from '../extent-text.ts';
import { wayBack } from '../month-list.ts';
import { count, span, table } from '../tables.ts';

/** How one file of an ingest ended. */
export type FileResult =
  | { name: string; report: ExtractReport; failure?: never }
  | { name: string; failure: string; report?: never };

const HEAD = ['file', 'form', 'month', 'read', 'loaded', 'rejected', 'outcome'];

/** Whether a file failed or a month was refused. */
export function hasProblem(results: FileResult[]): boolean {
  return results.some(({ report }) => report === undefined || report.months.some(isRefused));
}

/** Whether anything came into the warehouse. */
export function hasLoaded(results: FileResult[]): boolean {
  return results.some(({ report }) => report?.months.some((month) => !isRefused(month)));
}

export type SummaryOptions = {
  /** Only to say what would be done. */
  dryRun?: boolean;
  /** To publish as well. */
  publish?: boolean;
  /** Versions that are kept of what is replaced. */
  keepVersions?: number;
};

/** The table of an ingest, why rows were rejected, notes, and what to do next. */
export function ingestSummary(results: FileResult[], options: SummaryOptions = {}): string {
  const rows = results.flatMap((result, index) => rowsOf(result, results.slice(index + 1)));
  const paragraphs = [
    table(HEAD, [...rows, totals(results)]),
    ...results.flatMap(({ report }) => (report ? replacedBy(report) : [])),
    ...results.flatMap(rejectLines),
    ...results.flatMap(emptyLine),
    ...results.flatMap(({ name, report }) => report?.notes.map((note) => `${name}: ${note}`) ?? []),
    ...results.flatMap(failureLine),
    nextStep(results, options),
  ];
  return `${paragraphs.filter((text) => text !== '').join('\n')}\n`;
}

function replacedBy({ months }: ExtractReport): string[] {
  return replacedLines(
    months.flatMap(({ month, replaced }) => (replaced ? [{ month, ...replaced }] : [])),
  );
}

function rowsOf({ name, report }: FileResult, later: FileResult[]): string[][] {
  if (report === undefined) return [[name, '', '', '', '', '', 'failed']];
  const { form } = report.source;
  const months = rowsOfMonths(report, later).map((row) => [name, form, ...row]);
  const undated = sum(Object.values(report.undatedRejects));
  if (undated === 0) return months;
  return [...months, [name, form, 'no month', count(undated), '0', count(undated), 'rejected']];
}

/** Months of flights one by one; years of the delay-cause table by what became of them. */
function rowsOfMonths(report: ExtractReport, later: FileResult[]): string[][] {
  const row = (months: MonthReport[], how: string) => [
    months.length === 1 && months[0] ? months[0].month : span(months.map(({ month }) => month)),
    ...[(one: MonthReport) => one.rowsRead, rowsKept, (one: MonthReport) => one.rowsRejected].map(
      (of) => count(sum(months.map(of))),
    ),
    how,
  ];
  if (!isDelayCauses(report.source)) {
    return report.months.map((month) => row([month], outcome(month, report, later)));
  }
  const byOutcome = Map.groupBy(report.months, (month) => outcome(month, report, later));
  return [...byOutcome].map(([how, months]) => row(months, how));
}

/** A month has one source: of two files in one command that hold it, the later one stays. */
function outcome(month: MonthReport, report: ExtractReport, later: FileResult[]): string {
  if (isRefused(month)) return 'refused';
  const replacing = later.findLast(
    (file) =>
      file.report?.source.sha256 !== report.source.sha256 &&
      // Months of flights and of the delay-cause table lie beside each other.
      file.report !== undefined &&
      treeOfSource(file.report.source) === treeOfSource(report.source) &&
      file.report.months.some((other) => other.month === month.month && !isRefused(other)),
  );
  return replacing === undefined ? month.outcome : `replaced by ${replacing.name}`;
}

function totals(results: FileResult[]): string[] {
  const reports = results.flatMap(({ report }) => report ?? []);
  const counts = [
    sum(reports.map((report) => report.rowsRead)),
    sum(reports.flatMap(({ months }) => months.map(rowsKept))),
    sum(reports.map((report) => report.rowsRejected)),
  ];
  return ['total', '', '', ...counts.map(count), ''];
}

function rejectLines({ name, report }: FileResult): string[] {
  if (report === undefined) return [];
  const parts = [
    ...report.months.map(({ month, rejects }) => ({ month, rejects })),
    { month: 'no month', rejects: report.undatedRejects },
  ];
  return parts
    .filter(({ rejects }) => Object.keys(rejects).length > 0)
    .map(({ month, rejects }) => `${name}, ${month}: rejected ${reasons(rejects)}`);
}

function emptyLine({ name, report }: FileResult): string[] {
  const empty = sum(report?.months.map(({ rowsEmpty = 0 }) => rowsEmpty) ?? []);
  return empty === 0
    ? []
    : [`${name}: ${count(empty)} rows have no figures: no flights there then`];
}

function reasons(rejects: Record<string, number>): string {
  const mostFirst = Object.entries(rejects).toSorted(([, a], [, b]) => b - a);
  return mostFirst.map(([reason, rows]) => `${count(rows)} × ${reason}`).join(', ');
}

/** Errors of the format name their file already. */
function failureLine({ name, failure }: FileResult): string[] {
  if (failure === undefined) return [];
  return [failure.startsWith(`${name}:`) ? failure : `${name}: ${failure}`];
}

function nextStep(
  results: FileResult[],
  { dryRun, publish, keepVersions = 1 }: SummaryOptions,
): string {
  const months = results.flatMap(({ report }) => report?.months ?? []);
  if (dryRun) return 'Nothing was changed.';
  if (months.every(isRefused)) return 'Nothing was loaded; what was there before stays.';
  const refused = months.some(isRefused) ? 'Of refused months, what was there before stays.\n' : '';
  const isNew = months.some(({ outcome }) => outcome === 'written');
  const back = keepVersions > 0 ? wayBack(replacedMonths(results)) : '';
  const lake = isNew ? back : 'The lake held it already.\n';
  // What it held may be in no warehouse of ours yet.
  return `${refused}${lake}${publish ? '' : 'Next: make features publish'}`.trimEnd();
}

/** The months that took the place of others; not those of several files, where the version before is of one of these. */
function replacedMonths(results: FileResult[]): MonthRef[] {
  const written = results
    .flatMap(({ report }) => (report === undefined ? [] : report))
    .flatMap(({ source, months }) =>
      months
        .filter(({ outcome }) => outcome === 'written')
        .map(({ month, replaced }) => ({ month, tree: treeOfSource(source), replaced })),
    );
  return [...Map.groupBy(written, ({ month, tree }) => `${tree} ${month}`).values()]
    .filter((files) => files.length === 1)
    .flat()
    .filter(({ replaced }) => replaced);
}

/** The good rows of a refused month went nowhere. */
function rowsKept(month: MonthReport): number {
  return isRefused(month) ? 0 : month.rowsLoaded;
}

function isRefused(month: MonthReport): boolean {
  return month.outcome === 'refused';
}

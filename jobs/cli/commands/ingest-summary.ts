import { sum } from '../../../warehouse/ground/numbers.ts';
import { isDelayCauses, treeOfSource } from '../../../pipelines/flights/source-tree.ts';
import type { ExtractReport, MonthReport } from '../../../pipelines/flights/types.ts';
import { periodText, type Period } from '../../../warehouse/ground/period.ts';
import type { MonthRef } from '../../../warehouse/lake/versions.ts';
import { completenessText } from '../completeness-text.ts';
import { lossesText, replacedLines } from '../extent-text.ts';
import { undoCommands } from '../month-list.ts';
import { count, countOf, span, table } from '../tables.ts';
import { unknownValuesLines } from '../unknown-values-text.ts';

/** Result of one file, or of one source that is split across files. The result is a report or a failure. */
export type FileResult =
  | { name: string; report: ExtractReport; failure?: never }
  | { name: string; failure: string; report?: never };

const HEAD = ['file', 'form', 'month', 'read', 'loaded', 'rejected', 'outcome', 'flights'];

/**
 * Minimum number of flights that must be missing in the delay-cause table before a note is printed. Even for a correct
 * file, the counts may differ by a few flights.
 */
const MIN_CONFLICT = 10;

/**
 * If a file has at most this many months, the rejected rows of each month get their own line. Otherwise, one line
 * covers all months.
 */
const MAX_REJECT_LINES = 12;

/** Returns whether a file failed or a month was refused. */
export function hasProblem(results: FileResult[]): boolean {
  return results.some(({ report }) => report === undefined || report.months.some(isRefused));
}

/** Returns whether a month was loaded into the warehouse. */
export function hasLoaded(results: FileResult[]): boolean {
  return results.some(({ report }) => report?.months.some((month) => !isRefused(month)));
}

export type SummaryOptions = {
  /** Whether this was a dry run, which changes nothing. */
  dryRun?: boolean;
  /** Whether the months are also published. */
  publish?: boolean;
  /** Number of former versions that the lake stores for each month. */
  keepVersions?: number;
};

/** Formats the table of an ingest, the reasons of rejected rows, notes and the next steps. */
export function ingestSummary(results: FileResult[], options: SummaryOptions = {}): string {
  const rows = results.flatMap((result, index) => rowsOf(result, results.slice(index + 1)));
  const paragraphs = [
    table(HEAD, [...rows, totals(results)]),
    ...results.flatMap(({ report }) => (report ? replacedMonthLines(report) : [])),
    ...results.flatMap(({ report }) => (report ? lossLines(report) : [])),
    ...results.flatMap(conflictLines),
    ...results.flatMap(rejectLines),
    ...results.flatMap(({ name, report }) => unknownValuesLines(name, report?.unknownValues)),
    ...results.flatMap(emptyLine),
    ...results.flatMap(({ name, report }) => report?.notes.map((note) => `${name}: ${note}`) ?? []),
    ...results.flatMap(failureLine),
    nextStep(results, options),
  ];
  return `${paragraphs.filter((text) => text !== '').join('\n')}\n`;
}

function replacedMonthLines(report: ExtractReport): string[] {
  const { months } = report;
  return replacedLines(
    months.flatMap((month) =>
      month.replaced ? [{ month: nameOf(month, report), ...month.replaced }] : [],
    ),
  );
}

function lossLines(report: ExtractReport): string[] {
  return lossesText(report.months.map((month) => ({ ...month, month: nameOf(month, report) })));
}

function conflictLines({ name, report }: FileResult): string[] {
  return (report?.months ?? []).flatMap(({ month, conflict }) =>
    conflict === undefined || conflict.beyond < MIN_CONFLICT
      ? []
      : [
          `${name}, ${month}: ${count(conflict.beyond)} of ${countOf(conflict.compared, 'flight')} are not in BTS's table of the month`,
        ],
  );
}

function rowsOf({ name, report }: FileResult, later: FileResult[]): string[][] {
  if (report === undefined) return [[name, '', '', '', '', '', 'failed', '']];
  const { form } = report.source;
  const months = rowsOfMonths(report, later).map((row) => [name, form, ...row]);
  const undated = sum(Object.values(report.undatedRejects));
  if (undated === 0) return months;
  return [...months, [name, form, 'no month', count(undated), '0', count(undated), 'rejected', '']];
}

/** Lists months of flights one by one, and months of the delay-cause table grouped by outcome. */
function rowsOfMonths(report: ExtractReport, later: FileResult[]): string[][] {
  const row = (months: MonthReport[], result: string) => [
    months.length === 1 && months[0]
      ? nameOf(months[0], report)
      : span(months.map(({ month }) => month)),
    count(sum(months.map(({ rowsRead }) => rowsRead))),
    count(sum(months.map(rowsKept))),
    count(sum(months.map(({ rowsRejected }) => rowsRejected))),
    result,
    months.length === 1 && months[0]?.completeness ? completenessText(months[0].completeness) : '',
  ];
  if (!isDelayCauses(report.source)) {
    return report.months.map((month) => row([month], outcome(month, report, later)));
  }
  const byOutcome = Map.groupBy(report.months, (month) => outcome(month, report, later));
  return [...byOutcome].map(([result, months]) => row(months, result));
}

/**
 * Returns the outcome of a month. If a later file of the same command also contains the month, the later file replaces
 * the month, and the outcome names this file.
 */
function outcome(month: MonthReport, report: ExtractReport, later: FileResult[]): string {
  if (isRefused(month)) return 'refused';
  const replacing = later.findLast(
    (file) =>
      file.report?.source.sha256 !== report.source.sha256 &&
      // Months of flights and months of the delay-cause table do not replace each other. Months of different providers
      // do not replace each other either.
      file.report !== undefined &&
      treeOfSource(file.report.source) === treeOfSource(report.source) &&
      file.report.source.provider === report.source.provider &&
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
  return ['total', '', '', ...counts.map(count), '', ''];
}

function rejectLines({ name, report }: FileResult): string[] {
  if (report === undefined) return [];
  const { months } = report;
  const ofMonths = months.map((month) => ({
    month: nameOf(month, report),
    rejects: month.rejects,
  }));
  const isLong = ofMonths.length > MAX_REJECT_LINES;
  const parts = [
    ...(isLong ? [sumRejects(months)] : ofMonths),
    { month: 'no month', rejects: report.undatedRejects },
  ];
  return parts
    .filter(({ rejects }) => Object.keys(rejects).length > 0)
    .map(({ month, rejects }) => `${name}, ${month}: rejected ${reasons(rejects)}`);
}

/** Adds up the rejected rows of many months. */
function sumRejects(months: MonthReport[]) {
  const reasonRows = months.flatMap(({ rejects }) => Object.entries(rejects));
  const byReason = Map.groupBy(reasonRows, ([reason]) => reason);
  const rejects = Object.fromEntries(
    Array.from(byReason, ([reason, rows]) => [reason, sum(rows.map(([, count]) => count))]),
  );
  return { month: span(months.map(({ month }) => month)), rejects };
}

function emptyLine({ name, report }: FileResult): string[] {
  const empty = sum(report?.months.map(({ rowsEmpty = 0 }) => rowsEmpty) ?? []);
  return empty === 0
    ? []
    : [`${name}: ${countOf(empty, 'row')} have no figures, as the airline had no flights there`];
}

function reasons(rejects: Record<string, number>): string {
  const mostFirst = Object.entries(rejects).toSorted(([, a], [, b]) => b - a);
  return mostFirst.map(([reason, rows]) => `${count(rows)} × ${reason}`).join(', ');
}

/** Formats the failure of a file; some failures already begin with the name of the file. */
function failureLine({ name, failure }: FileResult): string[] {
  if (failure === undefined) return [];
  return [failure.startsWith(`${name}:`) ? failure : `${name}: ${failure}`];
}

function nextStep(
  results: FileResult[],
  { dryRun, publish, keepVersions = 1 }: SummaryOptions,
): string {
  const months = results.flatMap(({ report }) => report?.months ?? []);
  if (dryRun) return 'Dry run: nothing was changed.';
  if (months.every(isRefused)) return 'Nothing was loaded; lake and warehouse are unchanged.';
  const refused = months.some(isRefused) ? 'Refused months are unchanged.\n' : '';
  const hasNew = months.some(({ outcome }) => outcome === 'written');
  const undo = keepVersions > 0 ? undoCommands(replacedMonths(results)) : '';
  const lake = hasNew ? undo : 'These months were already in the lake.\n';
  // Prints the next step even if nothing is new: the warehouse of this machine may lack the months.
  return `${refused}${lake}${publish ? '' : 'Next: make features publish'}`.trimEnd();
}

/**
 * Returns the loaded months that replaced another version. Omits a month that is in several files of the command,
 * because its former version comes from the command itself.
 */
function replacedMonths(results: FileResult[]): (MonthRef & Period)[] {
  const written = results
    .flatMap(({ report }) => (report === undefined ? [] : report))
    .flatMap(({ source, months }) =>
      months
        .filter(({ outcome }) => outcome === 'written')
        .map(({ month, replaced }) => ({
          ...{ month, tree: treeOfSource(source), replaced },
          ...(source.provider !== undefined && { provider: source.provider }),
          periodMonths: replaced?.before.periodMonths,
        })),
    );
  const keyOf = ({ month, tree, provider }: MonthRef) => `${tree} ${provider} ${month}`;
  return [...Map.groupBy(written, keyOf).values()]
    .filter((files) => files.length === 1)
    .flat()
    .filter(({ replaced }) => replaced);
}

/** Formats the period of a month with its provider. */
function nameOf({ month, periodMonths }: MonthReport, { source }: ExtractReport): string {
  return periodText({ month, periodMonths, provider: source.provider });
}

/** Returns the number of loaded rows; 0 if the month was refused. */
function rowsKept(month: MonthReport): number {
  return isRefused(month) ? 0 : month.rowsLoaded;
}

function isRefused(month: MonthReport): boolean {
  return month.outcome === 'refused';
}

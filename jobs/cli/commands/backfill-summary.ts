import { sum } from '../../../warehouse/ground/numbers.ts';
import type { MonthPlan } from '../../../pipelines/flights/plan-month.ts';
import { extentText, lossesText, replacedLines } from '../extent-text.ts';
import type { MonthEnd } from '../follow-months.ts';
import { formatMonthList } from '../month-list.ts';
import { count, size, table } from '../tables.ts';

const HEAD = ['month', 'outcome', 'rows', 'rejects', 'seconds'];

/** Formats the table of a backfill, the reasons of failed months, and the next steps. */
export function backfillSummary(ends: MonthEnd[], isPublished = false): string {
  const lines = [
    table(HEAD, [...ends.map(rowOf), totals(ends)]),
    ...replacedLines(
      ends.flatMap(({ month, result }) =>
        result?.replaced ? [{ month, ...result.replaced }] : [],
      ),
    ),
    ...lossesText(ends.flatMap(({ result }) => result ?? [])),
    ...failures(ends),
    ...nextSteps(ends, isPublished),
  ];
  return `${lines.join('\n')}\n`;
}

/** Lists each reason once, with the months that failed for this reason. */
function failures(ends: MonthEnd[]): string[] {
  const failed = ends.filter(({ failure }) => failure !== undefined);
  const byReason = Map.groupBy(failed, ({ failure }) => failure);
  return [...byReason].map(
    ([why, months]) => `${formatMonthList(months.map(({ month }) => month))}: ${why}`,
  );
}

function rowOf({ month, seconds, result, failure }: MonthEnd): string[] {
  if (failure !== undefined) return [month, 'failed', '', '', seconds.toFixed(1)];
  const outcome = result.outcome === 'done' ? 'done' : `skipped: ${result.why ?? result.outcome}`;
  const isPublished = result.outcome !== 'absent';
  const counts = isPublished ? [result.rowsLoaded, result.rowsRejected].map(count) : ['', ''];
  return [month, outcome, ...counts, seconds.toFixed(1)];
}

function totals(ends: MonthEnd[]): string[] {
  const results = ends.flatMap(({ result }) => result ?? []);
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  const failed = ends.length - results.length;
  return [
    'total',
    `${done} done, ${results.length - done} skipped, ${failed} failed`,
    count(sum(results.map(({ rowsLoaded }) => rowsLoaded))),
    count(sum(results.map(({ rowsRejected }) => rowsRejected))),
    sum(ends.map(({ seconds }) => seconds)).toFixed(1),
  ];
}

function nextSteps(ends: MonthEnd[], isPublished: boolean): string[] {
  const failed = ends.filter(({ failure }) => failure !== undefined);
  const canRetry = failed.some((end) => 'isFinal' in end && !end.isFinal);
  const again = canRetry ? '; to retry, run the same command again' : '';
  const hasDone = ends.some(({ result }) => result?.outcome === 'done');
  return [
    ...(failed.length > 0 ? [`Failed months are unchanged${again}.`] : []),
    ...(hasDone && !isPublished ? ['Next: make features publish'] : []),
  ];
}

/** Formats the table of a dry run. */
export function planTable(plans: MonthPlan[]): string {
  const rows = plans.map(({ month, action, why, from, bytes }) => [
    month,
    // Removes the address or path from the error message, because the next column already shows it.
    why === undefined ? ACTIONS[action] : `${ACTIONS[action]}: ${why.replace(`${from}: `, '')}`,
    from,
    bytes === undefined ? 'unknown' : size(bytes),
  ]);
  const lines = [
    table(['month', 'action', 'from', 'size'], rows),
    ...replacedLines(
      plans.flatMap(({ month, replaced }) => (replaced ? [{ month, ...replaced }] : [])),
    ),
    ...lossesText(plans),
    ...plans.flatMap(({ month, current }) =>
      current ? `${month} now: ${extentText(current)}` : [],
    ),
    'Dry run: nothing was changed.',
  ];
  return `${lines.join('\n')}\n`;
}

const ACTIONS: Record<MonthPlan['action'], string> = {
  extract: 'load',
  replace: 'replace the loaded month',
  again: 'load again',
  skip: 'skip',
  fail: 'fail',
};

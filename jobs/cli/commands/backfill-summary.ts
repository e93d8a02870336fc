import { sum } from '../../../warehouse/ground/sum.ts';
import type { MonthPlan } from '../../../pipelines/flights/plan-month.ts';
import { extentText, replacedLines } from '../extent-text.ts';
import type { MonthEnd } from '../follow-months.ts';
import { monthsText } from '../month-list.ts';
import { count, size, table } from '../tables.ts';

const HEAD = ['month', 'outcome', 'rows', 'rejects', 'seconds'];

/** The table of a back-fill, why months failed, and what to do next: nothing where it is published at once. */
export function backfillSummary(ends: MonthEnd[], isPublished = false): string {
  const lines = [
    table(HEAD, [...ends.map(rowOf), totals(ends)]),
    ...replacedLines(
      ends.flatMap(({ month, result }) =>
        result?.replaced ? [{ month, ...result.replaced }] : [],
      ),
    ),
    ...failures(ends),
    ...nextSteps(ends, isPublished),
  ];
  return `${lines.join('\n')}\n`;
}

/** Each reason once, with the months that failed for it. */
function failures(ends: MonthEnd[]): string[] {
  const failed = ends.filter(({ failure }) => failure !== undefined);
  const byReason = Map.groupBy(failed, ({ failure }) => failure);
  return [...byReason].map(
    ([why, months]) => `${monthsText(months.map(({ month }) => month))}: ${why}`,
  );
}

function rowOf({ month, seconds, result, failure }: MonthEnd): string[] {
  if (failure !== undefined) return [month, 'failed', '', '', seconds.toFixed(1)];
  const outcome = result.outcome === 'done' ? 'done' : `skipped: ${result.why ?? result.outcome}`;
  const isHeld = result.outcome !== 'absent';
  const counts = isHeld ? [result.rowsLoaded, result.rowsRejected].map(count) : ['', ''];
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
  const canHelp = failed.some((end) => 'isFinal' in end && !end.isFinal);
  const again = canHelp ? '; run the same command to try again' : '';
  const hasDone = ends.some(({ result }) => result?.outcome === 'done');
  return [
    ...(failed.length > 0 ? [`Failed months keep what they held${again}.`] : []),
    ...(hasDone && !isPublished ? ['Next: make features publish'] : []),
  ];
}

/** The table of a dry run. */
export function planTable(plans: MonthPlan[]): string {
  const rows = plans.map(({ month, action, why, from, bytes }) => [
    month,
    // An error names where it comes from, which stands beside it.
    why === undefined ? ACTIONS[action] : `${ACTIONS[action]}: ${why.replace(`${from}: `, '')}`,
    from,
    bytes === undefined ? 'unknown' : size(bytes),
  ]);
  const lines = [
    table(['month', 'would', 'from', 'size'], rows),
    ...replacedLines(
      plans.flatMap(({ month, replaced }) => (replaced ? [{ month, ...replaced }] : [])),
    ),
    ...plans.flatMap(({ month, held }) => (held ? `${month}: holds ${extentText(held)}` : [])),
    'Nothing was changed.',
  ];
  return `${lines.join('\n')}\n`;
}

const ACTIONS: Record<MonthPlan['action'], string> = {
  extract: 'load',
  replace: 'replace what is there',
  again: 'load again',
  skip: 'skip',
  fail: 'fail',
};

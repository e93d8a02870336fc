import type { MonthEnd, MonthsWatcher } from './follow-months.ts';
import { progressLine, type ProgressStream } from './progress-line.ts';
import { count, countOf } from './tables.ts';
import { attemptText } from './watch-jobs.ts';

/** Shows the progress of a backfill: a bar on a terminal, otherwise a line for each month that has ended. */
export function monthsLine(
  total: number,
  stream: ProgressStream,
): Pick<MonthsWatcher, 'onEnd' | 'onProgress' | 'onRetry'> & { end: () => void } {
  const bar = progressLine('backfill', stream);
  const isTerminal = stream.isTTY === true;
  let done = 0;
  /**
   * Maps each reason to the first month that failed for this reason. Reasons can be long, so later months only refer to
   * the first month.
   */
  const reasons = new Map<string, string>();
  const show = (what: string) => {
    if (isTerminal) bar.show({ done, total, what: `${done} of ${total} months, ${what}` });
  };
  return {
    onEnd: (end) => {
      done += 1;
      // On a terminal only failures are printed at once; the final table shows the other months.
      const { month, failure } = end;
      const first = failure === undefined ? undefined : reasons.get(failure);
      const text = first === undefined ? monthLine(end) : `${month} failed like ${first}`;
      if (failure !== undefined && first === undefined) reasons.set(failure, month);
      if (!isTerminal) bar.note(`[${done}/${total}] ${text}`);
      else if (failure !== undefined && first === undefined) bar.note(text);
      show(end.month);
    },
    onProgress: (month, { what }) => show(`${month}: ${what}`),
    onRetry: (job) => {
      bar.note(attemptText(job));
    },
    end: bar.end,
  };
}

function monthLine({ month, seconds, result, failure }: MonthEnd): string {
  if (failure !== undefined) return `${month} failed: ${failure}`;
  if (result.outcome !== 'done') return `${month} skipped: ${result.why ?? result.outcome}`;
  const rows = `${countOf(result.rowsLoaded, 'row')}, ${count(result.rowsRejected)} rejected`;
  return `${month} done: ${rows}, ${seconds.toFixed(1)} s`;
}

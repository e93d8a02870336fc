import type { MonthEnd, MonthsWatcher } from './follow-months.ts';
import { progressLine } from './progress-line.ts';
import type { ProgressStream } from './progress-line.ts';
import { count } from './tables.ts';
import { attemptText } from './watch-jobs.ts';

/** Shows a back-fill: on a terminal a bar over its months, elsewhere a line per month as it ends. */
export function monthsLine(
  total: number,
  stream: ProgressStream,
): Pick<MonthsWatcher, 'ended' | 'busy' | 'retried'> & { end: () => void } {
  const bar = progressLine('backfill', stream);
  const isTerminal = stream.isTTY === true;
  let done = 0;
  /** The first month that failed for each reason, which may be a long one. */
  const reasons = new Map<string, string>();
  const show = (what: string) => {
    if (isTerminal) bar.show({ done, total, what: `${done} of ${total} months, ${what}` });
  };
  return {
    ended: (end) => {
      done += 1;
      // On a terminal the table comes soon enough, but a failure is worth knowing at once.
      const { month, failure } = end;
      const first = failure === undefined ? undefined : reasons.get(failure);
      const text = first === undefined ? monthLine(end) : `${month} failed as ${first} did`;
      if (failure !== undefined && first === undefined) reasons.set(failure, month);
      if (!isTerminal) bar.note(`[${done}/${total}] ${text}`);
      else if (failure !== undefined && first === undefined) bar.note(text);
      show(end.month);
    },
    busy: (month, { what }) => show(`${month}: ${what}`),
    retried: (job) => {
      bar.note(attemptText(job));
    },
    end: bar.end,
  };
}

function monthLine({ month, seconds, result, failure }: MonthEnd): string {
  if (failure !== undefined) return `${month} failed: ${failure}`;
  if (result.outcome !== 'done') return `${month} skipped: ${result.why ?? result.outcome}`;
  const rows = `${count(result.rowsLoaded)} rows, ${count(result.rowsRejected)} rejected`;
  return `${month} done: ${rows}, ${seconds.toFixed(1)} s`;
}

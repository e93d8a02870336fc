import type { OpsProblem, OpsSummary } from '../../warehouse/live/ops-summary.ts';

/** The state of the service: the last report of the workers, together with the findings of this API. */
export type CurrentVerdict = { code: 0 | 1 | 2; problems: Pick<OpsProblem, 'state' | 'text'>[] };

/** Maximum age of a workers' report. Workers report every 20 s, and less often on a busy machine. */
const MAX_AGE_MS = 2 * 60_000;

/** Returns the state of the service. Without a recent report from workers, the state is at best degraded. */
export function currentVerdict(
  summary: OpsSummary | undefined,
  writeRefusal: string | undefined,
  now: Date,
): CurrentVerdict {
  if (writeRefusal !== undefined) {
    const text = `Redis refuses writes, so calls with a key get 503 and no job runs: ${writeRefusal}`;
    return { code: 1, problems: [{ state: 'failing', text }] };
  }
  if (!summary) {
    return {
      code: 2,
      problems: [{ state: 'degraded', text: 'No worker has reported yet. Start a worker.' }],
    };
  }
  const { at, verdict } = summary;
  const { code, problems } = verdict;
  if (now.getTime() - Date.parse(at) <= MAX_AGE_MS) return { code, problems };
  const text =
    'No worker reports any more, so the state may have changed. Start a worker with make run or make worker.';
  return { code: code === 1 ? 1 : 2, problems: [{ state: 'degraded', text }, ...problems] };
}

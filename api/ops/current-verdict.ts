import type { OpsProblem, OpsSummary } from '../../warehouse/live/ops-summary.ts';

/** The verdict that a page shows: what workers reported last, and what this API sees itself. */
export type CurrentVerdict = { code: 0 | 1 | 2; problems: Pick<OpsProblem, 'state' | 'text'>[] };

/** Workers report every 20 s, and less often while the machine is busy. */
const MAX_AGE_MS = 2 * 60_000;

/** Returns the verdict. Without a recent report the state of the service is unknown, so the verdict is degraded. */
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

import type { Redis } from 'ioredis';
import type { OpsRun } from './ops-summary.ts';

/**
 * A figure of a month before and after a run. `before` is absent if the month had no version before the run. `after` is
 * absent if the month has no version after the run.
 */
export type RunChange = {
  /** `YYYY-MM`. */
  month: string;
  /**
   * What `before` and `after` count: `flights`, `days`, `airports` or `airlines` of the month, or the flights of a
   * group such as `AA at JFK`.
   */
  group: string;
  before?: number;
  after?: number;
};

/** Outcome of a run for one month. */
export type RunMonth = { month: string; outcome: string; why?: string };

/** A run of the ledger with all its details, for the page of one run. */
export type OpsRunDetail = Omit<OpsRun, 'inputs'> & {
  inputs: { name: string; sha256?: string }[];
  codeVersion: string;
  /** Parts of the run, as named by its progress messages, each with its total time. */
  parts: { name: string; startedAt: string; ms: number }[];
  log: { at: string; level: string; text: string }[];
  /** Rejected rows by reason. */
  rejects: Record<string, number>;
  months: RunMonth[];
  changes: RunChange[];
  notes: string[];
};

/** Redis hash that maps the id of a run to the run as JSON. */
const RUNS_KEY = 'hw:ops:runs';

/**
 * Updates Redis so that it has exactly the runs with these ids. Only runs that Redis lacks are read from the ledger,
 * because a run never changes.
 */
export async function syncOpsRuns(
  redis: Pick<Redis, 'hkeys' | 'hset' | 'hdel'>,
  ids: readonly string[],
  read: (missing: string[]) => Promise<OpsRunDetail[]>,
): Promise<void> {
  const stored = new Set(await redis.hkeys(RUNS_KEY));
  const missing = ids.filter((id) => !stored.has(id));
  for (const run of await read(missing)) await redis.hset(RUNS_KEY, run.id, JSON.stringify(run));
  const former = [...stored].filter((id) => !ids.includes(id));
  if (former.length > 0) await redis.hdel(RUNS_KEY, ...former);
}

/** Reads one of the newest runs; undefined if Redis does not have it. */
export async function readOpsRun(
  redis: Pick<Redis, 'hget'>,
  id: string,
): Promise<OpsRunDetail | undefined> {
  const text = await redis.hget(RUNS_KEY, id);
  return text === null ? undefined : (JSON.parse(text) as OpsRunDetail);
}

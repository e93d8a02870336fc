import type { Redis } from 'ioredis';
import type { MonthState } from './month-states.ts';

/** A month of a source: what the lake and the warehouse hold of it, and what became of its last file. */
export type OpsCell = {
  source: OpsSource;
  /** `YYYY-MM`. */
  month: string;
  state: MonthState;
  /** The file a later refusal was of; what is held stays. */
  refusedFile?: string;
  refusedWhy?: string;
  /** Scheduled flights that the warehouse holds of it, and rows of the file: a flight each, or many where a source gives counts. */
  flights?: number;
  rows?: number;
  rejected?: number;
  file?: string;
};

/** Flights, BTS's delay-cause table, and weather by where it comes from. */
export type OpsSource = string;

/** An entry of the ledger without its report. */
export type OpsRun = {
  id: string;
  step: string;
  outcome: 'done' | 'failed';
  /** ISO, UTC. */
  startedAt: string;
  finishedAt: string;
  /** Names of what it read; of what was asked for by a person, what and by whom. */
  inputs: string[];
  rowsIn?: number;
  rowsOut?: number;
  rowsRejected?: number;
  error?: string;
};

/** The checks of one build: name, severity and offending rows. */
export type OpsBuild = {
  at: string;
  outcome: 'done' | 'failed';
  checks: { check: string; severity: 'error' | 'warn'; failures: number }[];
};

/** What operators see of the lake, the warehouse and the ledger, which the API does not open. */
export type OpsSummary = {
  /** When it was written (ISO). */
  at: string;
  /** The host whose data folder it tells of; one written before there were several has none. */
  host?: string;
  cells: OpsCell[];
  /** Newest first. */
  runs: OpsRun[];
  /** Newest first. */
  builds: OpsBuild[];
  /** Failed jobs and refused months in the verdict, which may be taken off; absent in one written before there was a count. */
  acknowledgeable?: number;
  /** What is failing or, where nothing is, stale. */
  verdict: { code: 0 | 1 | 2; why: string[] };
  store: { version?: string; builtAt?: string; bytes?: number; kept: string[]; problem?: string };
  model: { version: string | null; pinned?: string };
  freshness: { lastMonth?: string; lastLevelMonth?: string; build?: string; publish?: string };
};

const SUMMARY_KEY = 'hw:ops:summary';

/** A summary that nobody wrote anew for so long is of a worker that is gone. */
const GONE_AFTER_MS = 180_000;

/**
 * Replaces the summary; a worker does. Of several hosts, each with a warehouse of its own, the one whose store is the newest
 * tells: it is what is served.
 */
export async function writeOpsSummary(
  redis: Pick<Redis, 'get' | 'set'>,
  summary: OpsSummary,
): Promise<void> {
  const kept = await readOpsSummary(redis);
  if (kept && isOfBuilder(kept, summary)) return;
  await redis.set(SUMMARY_KEY, JSON.stringify(summary));
}

function isOfBuilder(kept: OpsSummary, { host, at, store }: OpsSummary): boolean {
  if (kept.host === undefined || kept.host === host) return false;
  if (Date.parse(at) - Date.parse(kept.at) > GONE_AFTER_MS) return false;
  return (kept.store.builtAt ?? '') >= (store.builtAt ?? '');
}

/** The summary as a worker wrote it last; undefined when none has. */
export async function readOpsSummary(redis: Pick<Redis, 'get'>): Promise<OpsSummary | undefined> {
  const text = await redis.get(SUMMARY_KEY);
  return text === null ? undefined : (JSON.parse(text) as OpsSummary);
}

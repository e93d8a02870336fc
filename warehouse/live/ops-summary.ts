import type { Redis } from 'ioredis';
import type { MonthState } from './month-states.ts';

/** State of a month of a source in lake and warehouse, and the result of its last file. */
export type OpsCell = {
  source: OpsSource;
  /** `YYYY-MM`. */
  month: string;
  state: MonthState;
  /** A later file that was refused; the current version stays. */
  refusedFile?: string;
  refusedWhy?: string;
  /** Loaded scheduled flights, and rows of the file. A row is one flight, or many flights in sources of counts. */
  flights?: number;
  rows?: number;
  rejected?: number;
  file?: string;
};

/** Flights, BTS's delay-cause table, or a source of weather. */
export type OpsSource = string;

/** An entry of the ledger without its report. */
export type OpsRun = {
  id: string;
  step: string;
  outcome: 'done' | 'failed';
  /** ISO, UTC. */
  startedAt: string;
  finishedAt: string;
  /** Names of the inputs; for an operator's request, the request and the operator. */
  inputs: string[];
  rowsIn?: number;
  rowsOut?: number;
  rowsRejected?: number;
  error?: string;
};

/** The checks of one build: name, severity and number of offending rows. */
export type OpsBuild = {
  at: string;
  outcome: 'done' | 'failed';
  checks: { check: string; severity: 'error' | 'warn'; failures: number }[];
};

/** Summary of lake, warehouse and ledger for operators. The API itself opens none of the three. */
export type OpsSummary = {
  /** Time of writing (ISO). */
  at: string;
  /** Host of the data folder; absent in summaries of former versions. */
  host?: string;
  cells: OpsCell[];
  /** Newest first. */
  runs: OpsRun[];
  /** Newest first. */
  builds: OpsBuild[];
  /** Number of failed jobs and refused months that can be acknowledged; absent in summaries of former versions. */
  acknowledgeable?: number;
  /** `why` lists the failures or, if nothing fails, the stale data. */
  verdict: { code: 0 | 1 | 2; why: string[] };
  store: { version?: string; builtAt?: string; bytes?: number; kept: string[]; problem?: string };
  model: { version: string | null; pinned?: string };
  freshness: { lastMonth?: string; lastLevelMonth?: string; build?: string; publish?: string };
};

const SUMMARY_KEY = 'hw:ops:summary';

/** After this time without an update, the worker that wrote the summary is assumed to have ended. */
const STALE_AFTER_MS = 180_000;

/**
 * Replaces the summary. If several hosts have warehouses of their own, the host with the newest store wins: the API
 * serves that store.
 */
export async function writeOpsSummary(
  redis: Pick<Redis, 'get' | 'set'>,
  summary: OpsSummary,
): Promise<void> {
  const stored = await readOpsSummary(redis);
  if (stored && isFromNewerStore(stored, summary)) return;
  await redis.set(SUMMARY_KEY, JSON.stringify(summary));
}

function isFromNewerStore(stored: OpsSummary, { host, at, store }: OpsSummary): boolean {
  if (stored.host === undefined || stored.host === host) return false;
  if (Date.parse(at) - Date.parse(stored.at) > STALE_AFTER_MS) return false;
  return (stored.store.builtAt ?? '') >= (store.builtAt ?? '');
}

/** Reads the last summary of a worker; undefined if there is none. */
export async function readOpsSummary(redis: Pick<Redis, 'get'>): Promise<OpsSummary | undefined> {
  const text = await redis.get(SUMMARY_KEY);
  return text === null ? undefined : (JSON.parse(text) as OpsSummary);
}

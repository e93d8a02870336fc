import type { Redis } from 'ioredis';
import type { Completeness } from '../snapshot.ts';
import type { Problem } from './conditions.ts';
import type { InboxFile } from './inbox.ts';
import type { MonthState } from './month-states.ts';

/** State of one source's month in the lake and in the warehouse, and the result of the last file for this month. */
export type OpsCell = {
  source: OpsSource;
  /** `YYYY-MM`. */
  month: string;
  /** 12 for the counts of a whole year. */
  periodMonths?: 12;
  state: MonthState;
  /** Name of a later file that was refused. The current version remains. */
  refusedFile?: string;
  refusedWhy?: string;
  /**
   * Number of loaded scheduled flights, and number of rows in the file. In a source of counts, one row counts many
   * flights; in other sources, a row is one flight.
   */
  flights?: number;
  rows?: number;
  rejected?: number;
  file?: string;
  /** Completeness of the month; absent for sources other than flights and for months that are not loaded. */
  completeness?: Completeness;
};

/** Name of a source: flights, BTS's delay-cause table, a source of weather, or another provider. */
export type OpsSource = string;

/** A run of the ledger without its report. */
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
  /** The job attempt that made the run; absent for runs of commands. */
  job?: OpsRunJob;
};

/** A job attempt: its number, the maximum number of attempts, and the job that waits for this job (`parent`). */
export type OpsRunJob = {
  queue: string;
  id: string;
  attempt: number;
  attempts: number;
  parent?: string;
};

/** The checks of one build, each with name, severity and number of offending rows. */
export type OpsBuild = {
  at: string;
  outcome: 'done' | 'failed';
  /** `problem` is the reason why a check or model of a user could not run. */
  checks: { check: string; severity: 'error' | 'warn'; failures: number; problem?: string }[];
};

/** A problem with the name of its condition. */
export type OpsProblem = Problem & { state: 'degraded' | 'failing' };

/** Number of callers' watches, and how many of them have undelivered messages. */
export type WatchCounts = { count: number; pending: number };

/**
 * Summary of the lake, the warehouse and the ledger for operators. A worker writes it, because the API does not open
 * these files.
 */
export type OpsSummary = {
  /** Time of writing (ISO). */
  at: string;
  /** Host on which the data folder is. */
  host: string;
  cells: OpsCell[];
  /** Newest first. */
  runs: OpsRun[];
  /** Newest first. */
  builds: OpsBuild[];
  /** The last files of the inbox, newest first; absent while Redis is unavailable. */
  inbox?: InboxFile[];
  /** Absent if there are no watches, or while Redis is unavailable. */
  watches?: WatchCounts;
  /** Number of failed jobs, refused months and warnings that an operator can acknowledge. */
  acknowledgeable: number;
  /** The state of the service, with a sentence for each problem. */
  verdict: { code: 0 | 1 | 2; why: string[]; problems: OpsProblem[] };
  store: { version?: string; builtAt?: string; bytes?: number; kept: string[]; problem?: string };
  model: { version: string | null; pinned?: string };
  freshness: { lastMonth?: string; lastLevelMonth?: string; build?: string; publish?: string };
};

const SUMMARY_KEY = 'hw:ops:summary';

/** If a summary is older than this, the worker that wrote it has ended. */
const STALE_AFTER_MS = 180_000;

/**
 * Replaces the summary. If several hosts have their own warehouses, the summary of the host with the newest store
 * remains, because the API answers from that store. Returns whether the summary was replaced.
 */
export async function writeOpsSummary(
  redis: Pick<Redis, 'get' | 'set'>,
  summary: OpsSummary,
): Promise<boolean> {
  const stored = await readOpsSummary(redis);
  if (stored && isFromNewerStore(stored, summary)) return false;
  await redis.set(SUMMARY_KEY, JSON.stringify(summary));
  return true;
}

function isFromNewerStore(stored: OpsSummary, { host, at, store }: OpsSummary): boolean {
  if (stored.host === undefined || stored.host === host) return false;
  if (Date.parse(at) - Date.parse(stored.at) > STALE_AFTER_MS) return false;
  return (stored.store.builtAt ?? '') >= (store.builtAt ?? '');
}

/** Reads the last summary that a worker wrote; undefined if there is none. */
export async function readOpsSummary(redis: Pick<Redis, 'get'>): Promise<OpsSummary | undefined> {
  const text = await redis.get(SUMMARY_KEY);
  return text === null ? undefined : (JSON.parse(text) as OpsSummary);
}

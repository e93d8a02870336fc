import type { Redis } from 'ioredis';
import type { Completeness } from '../snapshot.ts';
import type { Problem } from './conditions.ts';
import type { InboxFile } from './inbox.ts';
import type { MonthState } from './month-states.ts';

/** State of a month of a source in the lake and in the warehouse, and the result of the month's last file. */
export type OpsCell = {
  source: OpsSource;
  /** `YYYY-MM`. */
  month: string;
  state: MonthState;
  /** A later file that was refused. The current version stays in use. */
  refusedFile?: string;
  refusedWhy?: string;
  /**
   * Number of loaded scheduled flights, and number of rows of the file. In sources of counts, a row stands for many
   * flights; in other sources, for one flight.
   */
  flights?: number;
  rows?: number;
  rejected?: number;
  file?: string;
  /** How complete the month is; absent for other sources and months that are not loaded. */
  completeness?: Completeness;
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
  /** The attempt at a job that made the run; absent for runs of commands. */
  job?: OpsRunJob;
};

/** An attempt at a job: its number, and the most attempts that the job may have. `parent` waits for this job. */
export type OpsRunJob = {
  queue: string;
  id: string;
  attempt: number;
  attempts: number;
  parent?: string;
};

/** The checks of one build. Each check has a name, a severity and a number of offending rows. */
export type OpsBuild = {
  at: string;
  outcome: 'done' | 'failed';
  /** `problem`: why a check or model of a user could not run. */
  checks: { check: string; severity: 'error' | 'warn'; failures: number; problem?: string }[];
};

/** A problem with the name of its condition. */
export type OpsProblem = Problem & { state: 'degraded' | 'failing' };

/**
 * Summary of the lake, the warehouse and the ledger for operators. The API itself opens neither lake, warehouse nor
 * ledger.
 */
export type OpsSummary = {
  /** Time of writing (ISO). */
  at: string;
  /** Host of the data folder. */
  host: string;
  cells: OpsCell[];
  /** Newest first. */
  runs: OpsRun[];
  /** Newest first. */
  builds: OpsBuild[];
  /** The last files of the inbox, newest first; absent while Redis is unavailable. */
  inbox?: InboxFile[];
  /** Number of failed jobs, refused months and warnings that can be acknowledged. */
  acknowledgeable: number;
  /** The state of the service, with a sentence for each problem. */
  verdict: { code: 0 | 1 | 2; why: string[]; problems: OpsProblem[] };
  store: { version?: string; builtAt?: string; bytes?: number; kept: string[]; problem?: string };
  model: { version: string | null; pinned?: string };
  freshness: { lastMonth?: string; lastLevelMonth?: string; build?: string; publish?: string };
};

const SUMMARY_KEY = 'hw:ops:summary';

/** After this time without an update, the worker that wrote the summary is assumed to have ended. */
const STALE_AFTER_MS = 180_000;

/**
 * Replaces the summary. If several hosts have warehouses of their own, keeps the summary of the host with the newest
 * store, because the API serves that store. Returns whether the summary was replaced.
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

/** Reads the last summary of a worker; undefined if no summary exists. */
export async function readOpsSummary(redis: Pick<Redis, 'get'>): Promise<OpsSummary | undefined> {
  const text = await redis.get(SUMMARY_KEY);
  return text === null ? undefined : (JSON.parse(text) as OpsSummary);
}

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DataPaths } from '../paths.ts';
import { namesIn } from '../ground/files.ts';
import { intoPlace } from '../ground/into-place.ts';

export type RunStep =
  | 'extract'
  | 'load'
  | 'build'
  | 'train'
  | 'publish'
  | 'rebuild'
  | 'rollback'
  | 'restore'
  | 'drop'
  /** A job that failed before or beside its steps. */
  | 'job'
  /** What an operator asked for at `/ops`, and who it was. */
  | 'asked'
  | 'weather';

/** What a run read; `sha256` is absent when it could not be told. */
export type RunInput = { name: string; sha256?: string };

/** What a step tells of its run; counts it does not have are absent. */
export type RunFacts = {
  inputs: RunInput[];
  rowsIn?: number;
  rowsOut?: number;
  rowsRejected?: number;
  /** Rejected rows by reason. */
  rejects?: Record<string, number>;
  /** The report of the step. */
  detail?: unknown;
};

export type Run = RunFacts & {
  /** Start, step and a few random letters: unique on any number of machines, and in order of time. */
  id: string;
  step: RunStep;
  outcome: 'done' | 'failed';
  /** ISO, UTC. */
  startedAt: string;
  finishedAt: string;
  codeVersion: string;
  /** Why it failed. */
  error?: string;
};

/** The ledger as it is searched: names cost next to nothing, each run a file. */
export type LedgerFiles = {
  /** Ids of every run, oldest first; each names its time and step. */
  ids: () => Promise<string[]>;
  /** The runs of those ids, in that order; one that cannot be read is left out. */
  read: (ids: string[]) => Promise<Run[]>;
};

/** Looked at together when a run that was done is searched for, newest first. */
const LOOKED_AT = 20;

/**
 * The ledger is one small file per run under `lake/runs`, in a folder per month: any worker on any machine can write
 * one without the warehouse, a failed run leaves one too, and it outlives the DuckDB file. `ops.runs` is its copy for SQL.
 * What is old is folded into a summary a month: `run-summaries.ts`.
 */
export async function writeRun(runsDir: string, run: Run): Promise<void> {
  const text = `${JSON.stringify(run)}\n`;
  await intoPlace(path.join(runsDir, runFile(run.id)), (temporary) => writeFile(temporary, text));
}

/** Ids of every run, oldest first. */
export async function runIds(runsDir: string): Promise<string[]> {
  const months = await runMonths(runsDir);
  const files = await Promise.all(months.map((month) => namesIn(path.join(runsDir, month))));
  return files
    .flat()
    .filter((name) => /^\d.*\.json$/.test(name))
    .map((name) => name.replace(/\.json$/, ''))
    .toSorted();
}

/** Folders of the ledger, oldest first: `2026-11`. */
export async function runMonths(runsDir: string): Promise<string[]> {
  return (await namesIn(runsDir)).filter((name) => /^\d{4}-\d\d$/.test(name)).toSorted();
}

/** The runs of those ids, in that order; one that cannot be read is left out. */
export async function readRuns(runsDir: string, ids: string[]): Promise<Run[]> {
  const runs: Run[] = [];
  // A few hundred at a time: years of runs would need more open files than a process may have.
  for (let from = 0; from < ids.length; from += READ_TOGETHER) {
    const some = ids.slice(from, from + READ_TOGETHER);
    const read = await Promise.all(some.map((id) => readRun(runsDir, id)));
    runs.push(...read.filter((run) => run !== undefined));
  }
  return runs;
}

/** The ledger of a data folder, for who reads a part of it. */
export function ledgerFiles({ runsDir }: Pick<DataPaths, 'runsDir'>) {
  return {
    ids: () => runIds(runsDir),
    read: (ids: string[]) => readRuns(runsDir, ids),
  };
}

const READ_TOGETHER = 256;

/** Where the file of a run is, below the folder of runs: `2026-11/20261101T….json`. */
export function runFile(id: string): string {
  return path.posix.join(runFolder(id), `${id}.json`);
}

/** The folder of a run: `2026-11` of an id that begins with `20261101T…`. */
export function runFolder(id: string): string {
  return `${id.slice(0, 4)}-${id.slice(4, 6)}`;
}

async function readRun(runsDir: string, id: string): Promise<Run | undefined> {
  try {
    return JSON.parse(await readFile(path.join(runsDir, runFile(id)), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The newest run of these steps, or the newest that ended so. */
export async function newestRun(
  { ids, read }: LedgerFiles,
  steps: RunStep[],
  outcome?: Run['outcome'],
): Promise<Run | undefined> {
  const candidates = (await ids()).filter((id) => steps.includes(stepOf(id)));
  if (outcome === undefined) return (await read(candidates.slice(-1))).at(0);
  for (let end = candidates.length; end > 0; end -= LOOKED_AT) {
    const runs = await read(candidates.slice(Math.max(0, end - LOOKED_AT), end));
    const found = runs.findLast((run) => run.outcome === outcome);
    if (found) return found;
  }
  return undefined;
}

/** The newest runs of these steps, so many at most, oldest first. */
export async function newestRuns(
  { ids, read }: LedgerFiles,
  steps: RunStep[],
  most: number,
): Promise<Run[]> {
  return read((await ids()).filter((id) => steps.includes(stepOf(id))).slice(-most));
}

/** `extract` of `20261101T023000123Z-extract-abc123`. */
export function stepOf(id: string): RunStep {
  return id.split('-')[1] as RunStep;
}

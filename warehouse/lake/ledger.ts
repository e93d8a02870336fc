import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DataPaths } from '../paths.ts';
import { listNames } from '../ground/files.ts';
import { writeAtomically } from '../ground/temporary.ts';

export type RunStep =
  | 'extract'
  | 'load'
  | 'build'
  | 'train'
  /** A model trained elsewhere was tested and stored. */
  | 'import'
  | 'publish'
  | 'rebuild'
  | 'rollback'
  | 'restore'
  | 'drop'
  | 'verify'
  | 'backup'
  /** A test restore of the newest backup into a temporary folder. */
  | 'drill'
  /** The forecasts of one night were frozen, and earlier forecasts were compared with actual flights. */
  | 'record'
  /** The forecasts of the next month were written as files. */
  | 'snapshot'
  /** A whole backfill. Each of its months also has its own runs. */
  | 'backfill'
  /** A job that failed before or after its steps. */
  | 'job'
  /** An operator's request at `/ops`, with the operator's name. */
  | 'request'
  | 'weather';

/** An input of a run; `sha256` is absent if the sha256 of the input is unknown. */
export type RunInput = { name: string; sha256?: string };

/** The facts that a step reports about its run. Counts that do not apply to the step are absent. */
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

/** The job attempt that made a run. */
export type RunJob = {
  queue: string;
  id: string;
  /** Number of this attempt, and the maximum number of attempts. */
  attempt: number;
  attempts: number;
  /** Id of the job that waits until this job is done. */
  parent?: string;
};

/** A part of a run, with its total time. The progress messages name the parts. */
export type RunPart = { name: string; startedAt: string; ms: number };

/** A log line of a run. */
export type RunLine = { at: string; level: string; text: string };

/** Job, parts and log of a run. The log is limited in length. Runs of commands do not have these fields. */
export type RunCourse = { job?: RunJob; parts?: RunPart[]; log?: RunLine[] };

export type Run = RunFacts &
  RunCourse & {
    /** Start time, step and a few random letters. Ids are unique across machines and sort by time. */
    id: string;
    step: RunStep;
    outcome: 'done' | 'failed';
    /** ISO, UTC. */
    startedAt: string;
    finishedAt: string;
    codeVersion: string;
    /** Message of the failure. */
    error?: string;
    /** Class of the failure, such as `SourceFormatError`. */
    errorName?: string;
  };

/** Read access to the ledger for searches. Listing ids is fast, but each run is read from its own file. */
export type LedgerFiles = {
  /** Lists the ids of all runs, oldest first. An id contains the start time and the step. */
  ids: () => Promise<string[]>;
  /** Reads the runs with these ids, in the order of the ids; skips unreadable runs. */
  read: (ids: string[]) => Promise<Run[]>;
};

/** Number of runs that a search reads at once. */
const SEARCH_BATCH = 20;

/**
 * Writes a run to the ledger: one small file per run under `lake/runs`, in a folder per month. Any worker on any
 * machine can write a run, even a failed one, without opening the warehouse. If the DuckDB file is lost, the ledger
 * remains. The table `ops.runs` is a copy of the ledger for SQL. Old runs are summed up by month (see
 * `run-summaries.ts`).
 */
export async function writeRun(runsDir: string, run: Run): Promise<void> {
  const text = `${JSON.stringify(run)}\n`;
  await writeAtomically(path.join(runsDir, runFile(run.id)), (temporary) =>
    writeFile(temporary, text),
  );
}

/** Lists the ids of all runs, oldest first. */
export async function listRunIds(runsDir: string): Promise<string[]> {
  const months = await listRunMonths(runsDir);
  const files = await Promise.all(months.map((month) => listNames(path.join(runsDir, month))));
  return files
    .flat()
    .filter((name) => /^\d.*\.json$/.test(name))
    .map((name) => name.replace(/\.json$/, ''))
    .toSorted();
}

/** Lists the folders of the ledger, oldest first: `2026-11`. */
export async function listRunMonths(runsDir: string): Promise<string[]> {
  return (await listNames(runsDir)).filter((name) => /^\d{4}-\d\d$/.test(name)).toSorted();
}

/** Reads the runs with these ids, in the order of the ids; skips unreadable runs. */
export async function readRuns(runsDir: string, ids: string[]): Promise<Run[]> {
  const runs: Run[] = [];
  // Read in batches, because a process may have only a limited number of files open.
  for (let from = 0; from < ids.length; from += READ_BATCH) {
    const batch = ids.slice(from, from + READ_BATCH);
    const batchRuns = await Promise.all(batch.map((id) => readRun(runsDir, id)));
    runs.push(...batchRuns.filter((run) => run !== undefined));
  }
  return runs;
}

/** Returns access to the ledger of a data folder, for searches. */
export function ledgerFiles({ runsDir }: Pick<DataPaths, 'runsDir'>) {
  return {
    ids: () => listRunIds(runsDir),
    read: (ids: string[]) => readRuns(runsDir, ids),
  };
}

const READ_BATCH = 256;

/** Returns the path of a run's file within the folder of runs: `2026-11/20261101T….json`. */
export function runFile(id: string): string {
  return path.posix.join(runFolder(id), `${id}.json`);
}

/** Returns the folder of a run: `2026-11` for an id that begins with `20261101T…`. */
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

/** Returns the newest run of these steps. If `outcome` is given, returns the newest run that has this outcome. */
export async function newestRun(
  { ids, read }: LedgerFiles,
  steps: RunStep[],
  outcome?: Run['outcome'],
): Promise<Run | undefined> {
  const candidates = (await ids()).filter((id) => steps.includes(stepOf(id)));
  if (outcome === undefined) return (await read(candidates.slice(-1))).at(0);
  for (let end = candidates.length; end > 0; end -= SEARCH_BATCH) {
    const runs = await read(candidates.slice(Math.max(0, end - SEARCH_BATCH), end));
    const run = runs.findLast((run) => run.outcome === outcome);
    if (run) return run;
  }
  return undefined;
}

/** Returns the newest runs of these steps, at most `max`, oldest first. */
export async function newestRuns(
  { ids, read }: LedgerFiles,
  steps: RunStep[],
  max: number,
): Promise<Run[]> {
  return read((await ids()).filter((id) => steps.includes(stepOf(id))).slice(-max));
}

/** Returns the step that a run's id contains: `extract` for `20261101T023000123Z-extract-abc123`. */
export function stepOf(id: string): RunStep {
  return id.split('-')[1] as RunStep;
}

import type { Run, RunStep } from '../../../pipelines/ledger.ts';

/** The ledger as status reads it: names cost next to nothing, each run a file. */
export type LedgerFiles = {
  /** Ids of every run, oldest first; each names its time and step. */
  ids: () => Promise<string[]>;
  /** The runs of those ids, in that order; one that cannot be read is left out. */
  read: (ids: string[]) => Promise<Run[]>;
};

/** What status tells of the ledger, however long that is. */
export type RecentRuns = {
  /** Oldest first. */
  newest: Run[];
  /** Oldest first. */
  extracts: Run[];
  /** The last build or rebuild, done or failed. */
  built: Run | undefined;
  /** The last one done. */
  buildDone: Run | undefined;
  publishDone: Run | undefined;
  /** The last training, done or failed. */
  trained: Run | undefined;
};

const RUNS_SHOWN = 10;
/** Twice the months BTS has published since 1987: a refusal further back is not shown. */
const EXTRACTS_READ = 1_000;
/** Looked at together when a run that was done is searched for, newest first. */
const LOOKED_AT = 20;

/** The newest runs, and the newest of each kind that status speaks of; no other file of the ledger is read. */
export async function recentRuns({ ids, read }: LedgerFiles): Promise<RecentRuns> {
  const all = await ids();
  const files = { ids: async () => all, read };
  const builds: RunStep[] = ['build', 'rebuild'];
  return {
    newest: await read(all.slice(-RUNS_SHOWN)),
    extracts: await lastExtracts(files),
    built: await newestRun(files, builds),
    buildDone: await newestRun(files, builds, 'done'),
    publishDone: await newestRun(files, ['publish'], 'done'),
    trained: await newestRun(files, ['train']),
  };
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

/** The newest extracts, oldest first: what was refused is in them. */
export async function lastExtracts({ ids, read }: LedgerFiles): Promise<Run[]> {
  return newestRuns({ ids, read }, ['extract'], EXTRACTS_READ);
}

/** `extract` of `20261101T023000123Z-extract-abc123`. */
function stepOf(id: string): RunStep {
  return id.split('-')[1] as RunStep;
}

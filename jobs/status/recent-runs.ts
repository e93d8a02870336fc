import type { Run, RunStep } from '../../pipelines/ledger.ts';

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
};

const RUNS_SHOWN = 10;
/** Twice the months BTS has published since 1987: a refusal further back is not shown. */
const EXTRACTS_READ = 1_000;
/** Looked at together when a run that was done is searched for, newest first. */
const LOOKED_AT = 20;

/** The newest runs, and the newest of each kind that status speaks of; no other file of the ledger is read. */
export async function recentRuns({ ids, read }: LedgerFiles): Promise<RecentRuns> {
  const all = await ids();
  const of = (...steps: RunStep[]) => all.filter((id) => steps.includes(stepOf(id)));
  const newestDone = async (candidates: string[]): Promise<Run | undefined> => {
    for (let end = candidates.length; end > 0; end -= LOOKED_AT) {
      const runs = await read(candidates.slice(Math.max(0, end - LOOKED_AT), end));
      const done = runs.findLast(({ outcome }) => outcome === 'done');
      if (done) return done;
    }
    return undefined;
  };
  const builds = of('build', 'rebuild');
  return {
    newest: await read(all.slice(-RUNS_SHOWN)),
    extracts: await lastExtracts({ ids, read }, all),
    built: (await read(builds.slice(-1))).at(0),
    buildDone: await newestDone(builds),
    publishDone: await newestDone(of('publish')),
  };
}

/** The newest extracts, oldest first: what was refused is in them. */
export async function lastExtracts({ ids, read }: LedgerFiles, all?: string[]): Promise<Run[]> {
  const extracts = (all ?? (await ids())).filter((id) => stepOf(id) === 'extract');
  return read(extracts.slice(-EXTRACTS_READ));
}

/** `extract` of `20261101T023000123Z-extract-abc123`. */
function stepOf(id: string): RunStep {
  return id.split('-')[1] as RunStep;
}

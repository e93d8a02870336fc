import {
  newestRun,
  newestRuns,
  type LedgerFiles,
  type Run,
  type RunStep,
} from '../../../warehouse/lake/ledger.ts';

/** What status tells of the ledger, however long that is. */
export type RecentRuns = {
  /** Oldest first. */
  newest: Run[];
  /** Oldest first. */
  extracts: Run[];
  /** The last build or rebuild, done or failed. */
  built: Run | undefined;
  /** The last one done, and the one done before it. */
  buildDone: Run | undefined;
  buildBefore: Run | undefined;
  publishDone: Run | undefined;
  /** The last training, done or failed. */
  trained: Run | undefined;
};

const RUNS_SHOWN = 10;
/** Twice the months BTS has published since 1987: a refusal further back is not shown. */
const EXTRACTS_READ = 1_000;

/** The newest runs, and the newest of each kind that status speaks of; no other file of the ledger is read. */
export async function recentRuns({ ids, read }: LedgerFiles): Promise<RecentRuns> {
  const all = await ids();
  const files = { ids: async () => all, read };
  const builds: RunStep[] = ['build', 'rebuild'];
  const buildDone = await newestRun(files, builds, 'done');
  return {
    newest: await read(all.slice(-RUNS_SHOWN)),
    extracts: await lastExtracts(files),
    built: await newestRun(files, builds),
    buildDone,
    buildBefore: buildDone && (await newestRun(before(files, buildDone.id), builds, 'done')),
    publishDone: await newestRun(files, ['publish'], 'done'),
    trained: await newestRun(files, ['train']),
  };
}

/** The ledger as it was before a run. */
function before({ ids, read }: LedgerFiles, id: string): LedgerFiles {
  return { ids: async () => (await ids()).filter((one) => one < id), read };
}

/** The newest extracts, oldest first: what was refused is in them. */
export async function lastExtracts({ ids, read }: LedgerFiles): Promise<Run[]> {
  return newestRuns({ ids, read }, ['extract'], EXTRACTS_READ);
}

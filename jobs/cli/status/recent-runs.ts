import {
  newestRun,
  newestRuns,
  type LedgerFiles,
  type Run,
  type RunStep,
} from '../../../warehouse/lake/ledger.ts';

/** The runs that the status shows, read without reading the whole ledger. */
export type RecentRuns = {
  /** Oldest first. */
  newest: Run[];
  /** Oldest first. */
  extracts: Run[];
  /** The last build or rebuild, done or failed. */
  built: Run | undefined;
  /** The last successful build. `buildBefore` is the successful build before this one. */
  buildDone: Run | undefined;
  buildBefore: Run | undefined;
  publishDone: Run | undefined;
  /** The last training, done or failed. */
  trained: Run | undefined;
};

const RUNS_SHOWN = 10;
/**
 * Number of newest extracts to read: twice the number of months that BTS has published since 1987. Older refusals are
 * not shown.
 */
const EXTRACTS_READ = 1_000;

/** Reads the newest runs, and the newest runs of each kind that the status shows. Reads no other file of the ledger. */
export async function readRecentRuns({ ids, read }: LedgerFiles): Promise<RecentRuns> {
  const all = await ids();
  const files = { ids: async () => all, read };
  const builds: RunStep[] = ['build', 'rebuild'];
  const buildDone = await newestRun(files, builds, 'done');
  return {
    newest: await read(all.slice(-RUNS_SHOWN)),
    extracts: await readLastExtracts(files),
    built: await newestRun(files, builds),
    buildDone,
    buildBefore: buildDone && (await newestRun(ledgerBefore(files, buildDone.id), builds, 'done')),
    publishDone: await newestRun(files, ['publish'], 'done'),
    trained: await newestRun(files, ['train']),
  };
}

/** Returns the part of the ledger that is older than a run. */
function ledgerBefore({ ids, read }: LedgerFiles, id: string): LedgerFiles {
  return { ids: async () => (await ids()).filter((other) => other < id), read };
}

/** Reads the last extracts in the order of their times. Refusals are recorded in these extracts. */
export async function readLastExtracts({ ids, read }: LedgerFiles): Promise<Run[]> {
  return newestRuns({ ids, read }, ['extract'], EXTRACTS_READ);
}

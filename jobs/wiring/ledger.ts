import { randomBytes } from 'node:crypto';
import type { Ledger } from '../../pipelines/ledger.ts';
import { writeRun } from '../../warehouse/lake/ledger.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import type { DataPaths } from '../../warehouse/paths.ts';
import { courseOf } from '../processes/job-journal.ts';

/**
 * Creates the ledger of a data folder. With a shared lake, runs are also copied to the shared lake. A run of a job
 * contains the job's log lines and times.
 */
export function createLedger(
  { runsDir }: Pick<DataPaths, 'runsDir'>,
  codeVersion: string,
  home?: Pick<LakeHome, 'putRun'>,
): Ledger {
  return {
    record: async (run) => {
      await writeRun(runsDir, { ...run, ...courseOf(run) });
      // If the upload fails, the next tidy uploads the run.
      await home?.putRun(run.id).catch(() => undefined);
    },
    codeVersion,
    now: () => new Date(),
    randomLetters: () => randomBytes(3).toString('hex'),
  };
}

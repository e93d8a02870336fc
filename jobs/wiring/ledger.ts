import { randomBytes } from 'node:crypto';
import type { Ledger } from '../../pipelines/ledger.ts';
import { writeRun } from '../../warehouse/lake/ledger.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import type { DataPaths } from '../../warehouse/paths.ts';

/** The ledger of a data folder; of a lake that is shared, all machines get its runs. */
export function ledgerOf(
  { runsDir }: Pick<DataPaths, 'runsDir'>,
  codeVersion: string,
  home?: Pick<LakeHome, 'putRun'>,
): Ledger {
  return {
    record: async (run) => {
      await writeRun(runsDir, run);
      // What cannot be given now goes with the next tidying.
      await home?.putRun(run.id).catch(() => undefined);
    },
    codeVersion,
    now: () => new Date(),
    randomLetters: () => randomBytes(3).toString('hex'),
  };
}

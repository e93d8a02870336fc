import { randomBytes } from 'node:crypto';
import type { Ledger } from '../../pipelines/ledger.ts';
import { writeRun } from '../../warehouse/lake/ledger.ts';
import type { DataPaths } from '../../warehouse/paths.ts';

/** The ledger of a data folder. */
export function ledgerOf({ runsDir }: DataPaths, codeVersion: string): Ledger {
  return {
    record: (run) => writeRun(runsDir, run),
    codeVersion,
    now: () => new Date(),
    randomLetters: () => randomBytes(3).toString('hex'),
  };
}

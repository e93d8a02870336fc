import { basename } from 'node:path';
import type { Logger } from 'pino';
import { recordRun, type Ledger } from '../../../pipelines/ledger.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import type { VerifyResult } from '../../../warehouse/lake/verify.ts';
import type { JobsConfig } from '../../config.ts';
import type { Maintenance, MaintenanceReport } from '../../queue/handlers.ts';
import { backupText, damageText, makeBackup, type BackupContext } from '../commands/backup.ts';
import { REMEDY, verifyData } from '../commands/verify.ts';
import { fetchWholeLake } from '../lake-refresh.ts';
import { countOf, size } from '../tables.ts';
import { runDrill } from './drill.ts';

/** Stored files are damaged. The message names them and the remedy. */
class StoredDamageError extends Error {
  readonly isFinal = true;
  override readonly name = 'StoredDamageError';
}

/** Maximum number of damaged files in a message; `make verify` lists all. */
const MAX_NAMED = 5;

/** Creates the steps for the jobs `verify`, `backup` and `restore-drill`. Each run is recorded in the ledger. */
export function createMaintenance(
  config: JobsConfig,
  { ledger, log }: { ledger: Ledger; log: Pick<Logger, 'info' | 'warn'> },
): Omit<Maintenance, 'record' | 'snapshot'> {
  const now = () => new Date();
  const context: BackupContext = {
    config,
    now,
    err: { write: (text) => log.warn(text.trim()) },
  };
  const { codeVersion } = ledger;
  const facts = (input: string) => (report: MaintenanceReport | undefined) => ({
    inputs: [{ name: input }],
    ...(report && { detail: report }),
  });
  const backupTo = config.backupTo ?? 'BACKUP_TO';
  return {
    verify: () => recordRun('verify', ledger, () => verifyAll(config), facts(config.dataDir)),
    backup: () => recordRun('backup', ledger, () => backUp(context, codeVersion), facts(backupTo)),
    drill: (progress) =>
      recordRun('drill', ledger, () => runDrill(config, codeVersion, progress), facts(backupTo)),
  };
}

async function verifyAll(config: JobsConfig): Promise<MaintenanceReport> {
  await fetchWholeLake({ config });
  const results = await verifyData(config.dataDir);
  const damaged = results.flatMap(describeDamage);
  if (damaged.length > 0) throw new StoredDamageError(damaged.join('. '));
  const checked = sum(results.map((result) => result.checked));
  const bytes = sum(results.map((result) => result.bytes));
  return {
    summary: `${countOf(checked, 'month')}, versions and files, ${size(bytes)}, all intact`,
  };
}

function describeDamage({ what, damaged }: VerifyResult): string[] {
  if (damaged.length === 0) return [];
  const names = damaged.slice(0, MAX_NAMED).join(', ');
  const more = damaged.length > MAX_NAMED ? ` and ${damaged.length - MAX_NAMED} more` : '';
  return [`Damaged ${what}: ${names}${more}. To fix it: ${REMEDY[what]}`];
}

async function backUp(context: BackupContext, codeVersion: string): Promise<MaintenanceReport> {
  const result = await makeBackup(context, context.config.backupTo, codeVersion);
  if (result.damaged.length > 0) {
    const text = damageText(result.damaged).trim().replaceAll('\n', '. ');
    throw new StoredDamageError(`${basename(result.folder)} is written. ${text}. See make verify`);
  }
  const removed = result.removed.length === 0 ? '' : `; removed ${result.removed.join(', ')}`;
  return { summary: backupText(result) + removed };
}

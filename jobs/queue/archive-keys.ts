import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { ArchiveReplacedError } from '../../warehouse/keyring/archive.ts';
import type { ArchiveReport, Keyring } from '../../warehouse/keyring/keyring.ts';

export type ArchiveDeps = {
  keyring: Pick<Keyring, 'archive'>;
  log: Pick<Logger, 'error' | 'warn'>;
};

/**
 * Copies the keys to the archive. The condition `keys.lost` reports the keys that Redis lost. If an archive was damaged,
 * writes a new one and then throws `ArchiveReplacedError`, so that operators are notified.
 */
export async function archiveKeys({ keyring, log }: ArchiveDeps): Promise<ArchiveReport> {
  const report = logBrokenKeys(await keyring.archive(), log);
  if (report.damaged.length > 0) throw new ArchiveReplacedError(report.damaged);
  return report;
}

/** Logs each key whose record is invalid. Returns the report, which `jobs/watch/` turns into incidents. */
export function logBrokenKeys<Report extends { broken: string[] }>(
  report: Report,
  log: Pick<Logger, 'error'>,
): Report {
  for (const why of report.broken) {
    log.error({ why }, 'an API key with an invalid record was skipped');
  }
  return report;
}

/**
 * Archives the keys now if there is no archive, for example in a folder that was just restored. Otherwise the schedule
 * would archive them up to 5 minutes later.
 */
export async function archiveIfMissing(archiveFile: string, deps: ArchiveDeps): Promise<void> {
  if (existsSync(archiveFile)) return;
  try {
    await archiveKeys(deps);
  } catch (err) {
    deps.log.warn({ err }, 'API keys not archived; the next scheduled run tries again');
  }
}

import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import type { ArchiveReport, Keyring } from '../../warehouse/keyring/keyring.ts';

export type ArchiveDeps = {
  keyring: Pick<Keyring, 'archive'>;
  log: Pick<Logger, 'error' | 'warn'>;
};

/** Copies the keys to the archive, and says when Redis has lost some. */
export async function archiveKeys({ keyring, log }: ArchiveDeps): Promise<ArchiveReport> {
  const report = await keyring.archive();
  if (report.lost > 0) {
    log.error({ lost: report.lost }, 'redis lost keys that are archived: make keys-restore');
  }
  return logBroken(report, log);
}

/** Logs each key whose record is invalid. The report carries them on to the incidents (`jobs/watch/`). */
export function logBroken<Report extends { broken: string[] }>(
  report: Report,
  log: Pick<Logger, 'error'>,
): Report {
  for (const why of report.broken) log.error({ why }, 'a key was left out');
  return report;
}

/** Archives at once where there is no archive, as in a folder that was just restored; the schedule would come minutes later. */
export async function archiveFirst(archiveFile: string, deps: ArchiveDeps): Promise<void> {
  if (existsSync(archiveFile)) return;
  try {
    await archiveKeys(deps);
  } catch (err) {
    deps.log.warn({ err }, 'keys not archived yet: the schedule tries again');
  }
}

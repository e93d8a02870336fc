import type { Logger } from 'pino';
import type { ArchiveReport, Keyring } from '../../wiring/keyring.ts';

/** Copies the keys to the archive, and says when Redis has lost some. */
export async function archiveKeys(
  keyring: Pick<Keyring, 'archive'>,
  log: Pick<Logger, 'error'>,
): Promise<ArchiveReport> {
  const report = await keyring.archive();
  if (report.lost > 0) {
    log.error({ lost: report.lost }, 'redis lost keys that are archived: make keys-restore');
  }
  return report;
}

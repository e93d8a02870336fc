import { stat } from 'node:fs/promises';
import path from 'node:path';
import { keyOf, describeFile, listLinkableFiles } from './backup-copy.ts';
import { BACKUP_PARTS, listBackups, type BackupPart } from './backup-files.ts';
import { listFilesBelow } from './files-below.ts';

/** Returns the bytes that a backup into `to` would copy now. Unchanged files of the lake become links. */
export async function measureBackup(to: string, from: Record<BackupPart, string>): Promise<number> {
  const previous = (await listBackups(to)).at(-1);
  const linkable = previous ? await listLinkableFiles(previous) : new Map<string, string>();
  let bytes = 0;
  for (const part of BACKUP_PARTS) {
    for (const name of await listFilesBelow(from[part])) {
      const stats = await stat(path.join(from[part], name)).catch(() => undefined);
      if (!stats) continue;
      const file = describeFile(path.posix.join(part, name), stats);
      if (part !== 'lake' || !linkable.has(keyOf(file))) bytes += stats.size;
    }
  }
  return bytes;
}

import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, syncPath } from '../ground/files.ts';
import { copyFile, type BackupManifest, type BackupPart } from './backup-files.ts';

/**
 * Brings one part of a backup to where it belongs; whatever is there is set aside first, and its new name returned. The
 * folder is there whole or not at all.
 */
export async function restorePart(
  folder: string,
  { files }: BackupManifest,
  part: BackupPart,
  { place, now }: { place: string; now: Date },
): Promise<{ files: number; setAside?: string }> {
  const own = files.filter((file) => file.path.startsWith(`${part}/`));
  const coming = `${place}.restoring`;
  await rm(coming, { recursive: true, force: true });
  await mkdir(coming, { recursive: true });
  for (const file of own) {
    await copyFile(
      path.join(folder, file.path),
      path.join(coming, file.path.slice(part.length + 1)),
    );
  }
  const setAside = `${place}.before-${now.getTime()}`;
  const wasThere = await rename(place, setAside).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
  await rename(coming, place);
  await syncPath(path.dirname(place));
  return { files: own.length, ...(wasThere && { setAside }) };
}

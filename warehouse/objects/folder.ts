import { access, copyFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listAllEntries, isMissing, readIfExists, statIfExists } from '../ground/files.ts';
import { fileSha256 } from '../ground/hashes.ts';
import { damagedObjectError, StorageRefusedError, type Objects } from './objects.ts';
import { writeAtomically } from '../ground/temporary.ts';

/** Opens a folder that all machines mount as a storage. Each object is a file in it. */
export function folderObjects(folder: string): Objects {
  const filePath = (name: string) => path.join(folder, name);
  const check = () =>
    access(folder).catch(() => {
      const remedy = 'mount it, or correct LAKE_URL';
      throw new StorageRefusedError(folder, 'the folder does not exist', remedy);
    });
  return {
    place: folder,
    list: async (prefix) => {
      // Throws if the folder is not mounted, because it would look like an empty storage.
      await check();
      // A prefix may end in the middle of a name. So list the folder that contains the last part of the prefix, and
      // filter the names.
      const parent = path.posix.dirname(`${prefix}x`);
      const names = (await listAllEntries(filePath(parent)))
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .filter((name) => name.startsWith(prefix));
      const objects = await Promise.all(
        names.toSorted().map(async (name) => {
          // Another machine may have removed the file since the listing.
          const stats = await statIfExists(filePath(name));
          return stats ? [{ name, bytes: stats.size, at: stats.mtime }] : [];
        }),
      );
      return objects.flat();
    },
    read: async (name) => {
      const content = await readIfExists(filePath(name));
      if (!content) await check();
      return content;
    },
    get: (name, file, { sha256 }) =>
      writeAtomically(file, async (temporary) => {
        await copyFile(filePath(name), temporary).catch((error: unknown) => {
          throw isMissing(error) ? damagedObjectError(folder, name, 'missing') : error;
        });
        if ((await fileSha256(temporary)) === sha256) return;
        throw damagedObjectError(folder, name, 'its sha256 does not match the manifest');
      }),
    put: async (name, content) => {
      // Throw if the folder is not mounted. If it were created here, a later mount would hide the files in it.
      await check();
      await writeAtomically(filePath(name), (temporary) => writeFile(temporary, content));
    },
    remove: (name) => rm(filePath(name), { force: true }),
    check,
  };
}

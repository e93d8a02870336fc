import { access, copyFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { entriesBelow, isMissing, readIfThere, statIfThere } from '../ground/files.ts';
import { fileSha256 } from '../ground/sha256.ts';
import { intoPlace } from '../ground/into-place.ts';
import { damagedObject, StorageRefusedError, type Objects } from './objects.ts';

/** Objects as files below a folder that all machines mount. */
export function folderObjects(folder: string): Objects {
  const fileOf = (name: string) => path.join(folder, name);
  const check = () =>
    access(folder).catch(() => {
      const remedy = 'mount it, or correct LAKE_URL';
      throw new StorageRefusedError(folder, 'the folder is not there', remedy);
    });
  return {
    place: folder,
    list: async (prefix) => {
      // A folder that is not mounted does not say that nothing is there.
      await check();
      // Whole folders are read: a prefix may end in the middle of a name.
      const from = path.posix.dirname(`${prefix}x`);
      const names = (await entriesBelow(fileOf(from)))
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .filter((name) => name.startsWith(prefix));
      const found = await Promise.all(
        names.toSorted().map(async (name) => {
          // Another machine may remove what is listed.
          const there = await statIfThere(fileOf(name));
          return there ? [{ name, bytes: there.size, at: there.mtime }] : [];
        }),
      );
      return found.flat();
    },
    read: async (name) => {
      const content = await readIfThere(fileOf(name));
      if (!content) await check();
      return content;
    },
    get: (name, file, { sha256 }) =>
      intoPlace(file, async (temporary) => {
        await copyFile(fileOf(name), temporary).catch((error: unknown) => {
          throw isMissing(error) ? damagedObject(folder, name, 'not there') : error;
        });
        if ((await fileSha256(temporary)) === sha256) return;
        throw damagedObject(folder, name, 'its sha256 is not that of the manifest');
      }),
    put: async (name, content) => {
      // Folders are made as they are needed, but never the one to be mounted: what is written there would be hidden later.
      await check();
      await intoPlace(fileOf(name), (temporary) => writeFile(temporary, content));
    },
    remove: (name) => rm(fileOf(name), { force: true }),
    check,
  };
}

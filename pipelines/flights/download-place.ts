import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { intoPlace } from '../../warehouse/ground/into-place.ts';
import { fileSha256 } from '../../warehouse/ground/sha256.ts';
import type { DownloadPlace, PartFile, SavedFile } from './download.ts';

/**
 * The place of one download in a folder: `name`, `name.part` while it comes, and beside each a `.json` that says
 * which version of which address it is. A crash at any moment leaves a file, or a part, that is what its `.json` says,
 * or no `.json`, which makes it worth nothing.
 */
export function downloadPlace(folder: string, name: string): DownloadPlace {
  const file = path.join(folder, name);
  const part = `${file}.part`;
  return {
    saved: async () => {
      const saved = await readJson<Omit<SavedFile, 'path'>>(`${file}.json`);
      const isThere = saved !== undefined && (await sizeOf(file)) === saved.bytes;
      return isThere ? { ...saved, path: file } : undefined;
    },
    part: async () => {
      const version = await readJson<Omit<PartFile, 'bytes'>>(`${part}.json`);
      const bytes = await sizeOf(part);
      return version === undefined || bytes === undefined ? undefined : { ...version, bytes };
    },
    write: async (version, from, body) => {
      await mkdir(folder, { recursive: true });
      if (from === 0) {
        await discard(part);
        await writeFile(part, '');
        await writeJson(`${part}.json`, version);
      }
      await using handle = await open(part, 'r+');
      await handle.truncate(from);
      let at = from;
      for await (const chunk of body) {
        await handle.write(chunk, 0, chunk.length, at);
        at += chunk.length;
      }
      await handle.sync();
    },
    finish: async () => {
      const version = await readJson<Omit<PartFile, 'bytes'>>(`${part}.json`);
      if (version === undefined) throw new Error(`${part}.json is gone`);
      const [bytes = 0, sha256] = [await sizeOf(part), await fileSha256(part)];
      const saved = { ...version, bytes, sha256 };
      // In this order: a description never stands beside a file it does not describe.
      await rm(`${file}.json`, { force: true });
      await rename(part, file);
      await writeJson(`${file}.json`, saved);
      await rm(`${part}.json`, { force: true });
      return { ...saved, path: file };
    },
    discardPart: () => discard(part),
  };
}

async function discard(part: string): Promise<void> {
  await rm(`${part}.json`, { force: true });
  await rm(part, { force: true });
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size;
}

/** Undefined when it is not there or not whole: then what it describes is fetched again. */
async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

function writeJson(file: string, content: unknown): Promise<void> {
  return intoPlace(file, (temporary) => writeFile(temporary, JSON.stringify(content)));
}

import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileSha256 } from '../../warehouse/ground/hashes.ts';
import type { DownloadPlace, PartFile, SavedFile } from './download.ts';
import { writeAtomically } from '../../warehouse/ground/temporary.ts';

/**
 * Stores one download in a folder. The file is `name`, or `name.part` while the download is incomplete. Each of them
 * has a `.json` beside it, with the address and version of the file. After a crash at any moment, a file or part
 * matches its `.json`, or has no `.json` and is fetched again.
 */
export function downloadPlace(folder: string, name: string): DownloadPlace {
  const file = path.join(folder, name);
  const part = `${file}.part`;
  return {
    readSaved: async () => {
      const saved = await readJson<Omit<SavedFile, 'path'>>(`${file}.json`);
      const isComplete = saved !== undefined && (await sizeOf(file)) === saved.bytes;
      return isComplete ? { ...saved, path: file } : undefined;
    },
    readPart: async () => {
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
      let position = from;
      for await (const chunk of body) {
        await handle.write(chunk, 0, chunk.length, position);
        position += chunk.length;
      }
      await handle.sync();
    },
    finish: async () => {
      const version = await readJson<Omit<PartFile, 'bytes'>>(`${part}.json`);
      if (version === undefined) throw new Error(`${part}.json is gone`);
      const [bytes = 0, sha256] = [await sizeOf(part), await fileSha256(part)];
      const saved = { ...version, bytes, sha256 };
      // Write in this order, so that a `.json` never describes another file.
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

/**
 * Parses a JSON file. Returns undefined if this file is missing or incomplete. The download that the JSON file
 * describes is then fetched again.
 */
async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

function writeJson(file: string, content: unknown): Promise<void> {
  return writeAtomically(file, (temporary) => writeFile(temporary, JSON.stringify(content)));
}

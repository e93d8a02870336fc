import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { sha256 } from '../../warehouse/ground/sha256.ts';
import { runDir } from './run-dir.ts';

const made = new Map<string, Promise<Uint8Array>>();

/**
 * What `make` gives, made once for a run by whichever file first asks for it under that key; everyone gets a copy of
 * their own. The key names all that the value depends on; the value is data that `structuredClone` would copy.
 */
export async function oncePerRun<T>(key: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(key) ?? bytesOf(key, make);
  made.set(key, known);
  return deserialize(await known) as T;
}

async function bytesOf<T>(key: string, make: () => Promise<T>): Promise<Uint8Array> {
  const folder = runDir();
  if (folder === undefined) return serialize(await make());
  const file = join(folder, 'made', sha256(key));
  const found = await readFile(file).catch(() => undefined);
  if (found !== undefined) return found;
  const bytes = serialize(await make());
  await mkdir(join(folder, 'made'), { recursive: true });
  // Two may make it at the same time; neither ever sees half of it.
  await writeFile(`${file}.${process.pid}`, bytes);
  await rename(`${file}.${process.pid}`, file);
  return bytes;
}

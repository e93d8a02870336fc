import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { runFolder } from './run-dir.ts';

const cached = new Map<string, Promise<Uint8Array>>();

/**
 * Returns the result of `make`, which runs only once per test run and key; each caller gets its own copy. The key must
 * contain everything that the value depends on. The value must be data that `structuredClone` can copy.
 */
export async function oncePerRun<T>(key: string, make: () => Promise<T>): Promise<T> {
  const running = cached.get(key) ?? loadBytes(key, make);
  cached.set(key, running);
  return deserialize(await running) as T;
}

async function loadBytes<T>(key: string, make: () => Promise<T>): Promise<Uint8Array> {
  const folder = runFolder();
  if (folder === undefined) return serialize(await make());
  const file = join(folder, 'made', sha256(key));
  const stored = await readFile(file).catch(() => undefined);
  if (stored !== undefined) return stored;
  const bytes = serialize(await make());
  await mkdir(join(folder, 'made'), { recursive: true });
  // Two processes may write the file at once. Each writes to its own name and renames the file, so that no process
  // reads an incomplete file.
  await writeFile(`${file}.${process.pid}`, bytes);
  await rename(`${file}.${process.pid}`, file);
  return bytes;
}

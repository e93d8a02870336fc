import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Returns the SHA-256 of bytes or UTF-8 text, in hex. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Returns the SHA-256 of a file, in hex. Streams the file, so that the whole file is never in memory. */
export async function fileSha256(filePath: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(filePath), hash);
  return hash.digest('hex');
}

const ROOT = path.join(import.meta.dirname, '../..');

/** Returns a short hash of the files and folders in `root`. */
export async function hashCode(places: readonly string[], root: string = ROOT): Promise<string> {
  const files = (await Promise.all(places.map((place) => listFiles(root, place)))).flat();
  const hashes = await Promise.all(
    files.map(async (file) => [file, sha256(await readFile(path.join(root, file)))]),
  );
  return sha256(JSON.stringify(hashes)).slice(0, 8);
}

async function listFiles(root: string, place: string): Promise<string[]> {
  if ((await stat(path.join(root, place))).isFile()) return [place];
  const entries = await readdir(path.join(root, place));
  // Markdown files are not hashed, because they do not change the behaviour of the code.
  const names = entries.filter((name) => !name.endsWith('.md')).toSorted();
  const files = await Promise.all(names.map((name) => listFiles(root, path.join(place, name))));
  return files.flat();
}

import type { Redis } from 'ioredis';
import { CorruptFileError } from '../errors.ts';
import { STORE_VERSIONS_KEPT } from './disk.ts';
import { builtAs, layoutOf, MANIFEST_FILE, parseManifest, type Built } from './manifest.ts';
import type { StoreFiles } from './open.ts';

/** The version being served; set last. */
const POINTER = 'hw:store:current';

/** Versions in Redis, published last first. */
const VERSIONS = 'hw:store:versions';

/** Told the version after the pointer has moved. */
export const PUBLISHED_CHANNEL = 'hw:store:published';

/**
 * Redis does one thing at a time, and others wait meanwhile: a table of 20 MB in one go took it longer, on a busy machine,
 * than calls may wait for their key to be checked. Readers go by it: another size is another layout (`STORE_SCHEMA_VERSION`).
 */
const PART_BYTES = 512 * 1024;

/** Parts on their way at once: the next are there while a busy process gets to one. Others have their turn in between. */
const PARTS_AT_ONCE = 4;

/** Field of a part of a file: the first has the name of the file, the others their number behind it. */
const partField = (file: string, part: number) => (part === 0 ? file : `${file}:${part}`);

/** Hash of a version: files to bytes, in parts, with its manifest. */
const versionKey = (version: string) => `hw:store:version:${version}`;

/** Uploads the version, then lets the pointer name it and tells the readers; older versions beyond the kept ones go. */
export async function saveToRedis(redis: Redis, store: StoreFiles): Promise<void> {
  const { version } = store.manifest;
  const key = versionKey(version);
  for (const [name, bytes] of store.files) {
    const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
    await inParts(count, async (part) => {
      const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      await redis.hset(key, partField(name, part), Buffer.from(piece));
    });
  }
  await redis.hset(key, MANIFEST_FILE, JSON.stringify(store.manifest));
  await redis
    .multi()
    .lrem(VERSIONS, 0, version)
    .lpush(VERSIONS, version)
    .set(POINTER, version)
    .publish(PUBLISHED_CHANNEL, version)
    .exec();
  const old = await redis.lrange(VERSIONS, STORE_VERSIONS_KEPT, -1);
  await redis.ltrim(VERSIONS, 0, STORE_VERSIONS_KEPT - 1);
  for (const name of old) await redis.unlink(versionKey(name));
}

/** Name of the version being served; undefined when none was published. */
export async function currentVersion(redis: Pick<Redis, 'get'>): Promise<string | undefined> {
  return (await redis.get(POINTER)) ?? undefined;
}

/** Layout of a version, whichever it is; undefined where its manifest cannot be read. */
export async function layoutInRedis(
  redis: Pick<Redis, 'hget'>,
  version: string,
): Promise<number | undefined> {
  return layoutOf((await redis.hget(versionKey(version), MANIFEST_FILE)) ?? '');
}

/** The versions Redis holds. */
export async function builtInRedis(redis: Redis): Promise<Built[]> {
  const versions = await redis.lrange(VERSIONS, 0, -1);
  return Promise.all(
    versions.map(async (version) => {
      const manifest = await redis.hget(versionKey(version), MANIFEST_FILE);
      return builtAs(version, manifest ?? undefined);
    }),
  );
}

/** The files of a version, as bytes not yet checked against its manifest. */
export async function readFromRedis(redis: Redis, version: string): Promise<StoreFiles> {
  const key = versionKey(version);
  const text = await redis.hget(key, MANIFEST_FILE);
  if (text === null) throw new CorruptFileError(version, 'not in Redis');
  // One of another layout is refused before it is read.
  const manifest = parseManifest(text);
  const fields = new Set(await redis.hkeys(key));
  const files = new Map<string, Uint8Array>();
  for (const name of fields) {
    if (name === MANIFEST_FILE || name.includes(':')) continue;
    let count = 1;
    while (fields.has(partField(name, count))) count += 1;
    // Put in their places as they come: all of 10 MB at once would hold callers up.
    const file = Buffer.allocUnsafeSlow(count * PART_BYTES);
    let length = 0;
    await inParts(count, async (part) => {
      const bytes = await redis.hgetBuffer(key, partField(name, part));
      if (bytes === null) throw new CorruptFileError(name, 'removed while it was read');
      const at = part * PART_BYTES;
      length = Math.max(length, at + bytes.copy(file, at));
    });
    files.set(name, file.subarray(0, length));
  }
  return { manifest, files };
}

/** Does the work for each of so many parts, a few at once. */
async function inParts(count: number, work: (part: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let part = next++; part < count; part = next++) await work(part);
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, one));
}

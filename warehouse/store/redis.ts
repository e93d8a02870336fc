import type { Redis } from 'ioredis';
import { CorruptFileError } from '../errors.ts';
import { retained, type Retention } from '../ground/retention.ts';
import {
  dateVersion,
  parseLayout,
  MANIFEST_FILE,
  parseManifest,
  type DatedVersion,
} from './manifest.ts';
import type { StoreFiles } from './store-manifest.ts';

/** Key with the name of the current version. This key is set last. */
const POINTER = 'hw:store:current';

/** Key of the list of versions in Redis. The latest published version is first. */
const VERSIONS = 'hw:store:versions';

/**
 * Redis has at most five versions, because each version takes as much memory as its files. The disk has more versions,
 * and a roll-back reads from disk first.
 */
const REDIS_RETENTION: Retention = { newest: 3, days: 3, weeks: 0 };

/** Channel that announces a new version, after the pointer has moved to it. */
export const PUBLISHED_CHANNEL = 'hw:store:published';

/**
 * Size of the parts into which files are split. Redis runs one command at a time. When one command wrote a whole table
 * of 20 MB on a busy machine, key checks missed their deadline. Readers use this size, so changing it needs a new
 * layout version (`STORE_SCHEMA_VERSION`).
 */
const PART_BYTES = 512 * 1024;

/**
 * Number of parts that are transferred at the same time, so that the process never waits for the next part. Redis can
 * run other commands between two parts.
 */
const PARTS_AT_ONCE = 4;

/** Hash field of a part: the name of the file and, from the second part on, `:` and the number of the part. */
const partField = (file: string, part: number) => (part === 0 ? file : `${file}:${part}`);

/** Key of the hash of a version, with its manifest and the parts of its files. */
const versionKey = (version: string) => `hw:store:version:${version}`;

/**
 * Expiry of the parts of an unfinished upload, so that a killed upload leaves nothing behind. Each uploaded part renews
 * it.
 */
const UPLOAD_TTL_MS = 60 * 60_000;

/** Uploads the version, moves the pointer to it, notifies the readers, and removes the oldest versions. */
export async function saveToRedis(redis: Redis, store: StoreFiles): Promise<void> {
  const { version } = store.manifest;
  const key = versionKey(version);
  // If the version is already in Redis, it may be in use, so it must not get an expiry.
  const isListed = (await redis.lrange(VERSIONS, 0, -1)).includes(version);
  for (const [name, bytes] of store.files) {
    const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
    await forEachPart(count, async (part) => {
      const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      await Promise.all([
        redis.hset(key, partField(name, part), Buffer.from(piece)),
        isListed || redis.pexpire(key, UPLOAD_TTL_MS),
      ]);
    });
  }
  await redis.hset(key, MANIFEST_FILE, JSON.stringify(store.manifest));
  await redis
    .multi()
    .persist(key)
    .lrem(VERSIONS, 0, version)
    .lpush(VERSIONS, version)
    .set(POINTER, version)
    .publish(PUBLISHED_CHANNEL, version)
    .exec();
  await pruneRedis(redis, version);
}

/** Removes the versions that the retention does not keep. Never removes the current version. */
async function pruneRedis(redis: Redis, current: string): Promise<void> {
  const versions = await datedVersionsInRedis(redis);
  const kept = retained(versions, ({ builtAt }) => builtAt, REDIS_RETENTION);
  for (const { version } of versions.filter((one) => !kept.includes(one))) {
    if (version === current) continue;
    await redis.multi().lrem(VERSIONS, 0, version).unlink(versionKey(version)).exec();
  }
}

/** Returns the name of the current version; undefined before the first publish. */
export async function currentVersion(redis: Pick<Redis, 'get'>): Promise<string | undefined> {
  return (await redis.get(POINTER)) ?? undefined;
}

/**
 * Returns the layout version of a store version, even if this code does not know the layout. Undefined if the manifest
 * of the store version is missing or has no layout version.
 */
export async function layoutInRedis(
  redis: Pick<Redis, 'hget'>,
  version: string,
): Promise<number | undefined> {
  return parseLayout((await redis.hget(versionKey(version), MANIFEST_FILE)) ?? '');
}

/** Returns the versions in Redis with their build times. */
export async function datedVersionsInRedis(redis: Redis): Promise<DatedVersion[]> {
  const versions = await redis.lrange(VERSIONS, 0, -1);
  return Promise.all(
    versions.map(async (version) => {
      const manifest = await redis.hget(versionKey(version), MANIFEST_FILE);
      return dateVersion(version, manifest ?? undefined);
    }),
  );
}

/** Reads the files of a version without checking them against its manifest. */
export async function readFromRedis(redis: Redis, version: string): Promise<StoreFiles> {
  const key = versionKey(version);
  const text = await redis.hget(key, MANIFEST_FILE);
  if (text === null) throw new CorruptFileError(version, 'not in Redis');
  // Throws if the version has another layout, before its files are read.
  const manifest = parseManifest(text);
  const fields = new Set(await redis.hkeys(key));
  const files = new Map<string, Uint8Array>();
  for (const name of fields) {
    if (name === MANIFEST_FILE || name.includes(':')) continue;
    let count = 1;
    while (fields.has(partField(name, count))) count += 1;
    // Each part is copied when it arrives, because copying 10 MB at once would delay requests.
    const file = Buffer.allocUnsafeSlow(count * PART_BYTES);
    let length = 0;
    await forEachPart(count, async (part) => {
      const bytes = await redis.hgetBuffer(key, partField(name, part));
      if (bytes === null) throw new CorruptFileError(name, 'was removed while it was read');
      const at = part * PART_BYTES;
      length = Math.max(length, at + bytes.copy(file, at));
    });
    files.set(name, file.subarray(0, length));
  }
  return { manifest, files };
}

/** Runs `work` for each part, for a few parts at the same time. */
async function forEachPart(count: number, work: (part: number) => Promise<void>): Promise<void> {
  let next = 0;
  const processParts = async () => {
    for (let part = next++; part < count; part = next++) await work(part);
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, processParts));
}

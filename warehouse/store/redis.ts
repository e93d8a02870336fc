import type { Redis } from 'ioredis';
import { CorruptFileError } from '../errors.ts';
import { STORE_VERSIONS_KEPT } from './disk.ts';
import { builtAs, MANIFEST_FILE, parseManifest, type Built } from './manifest.ts';
import type { StoreFiles } from './open.ts';

/** The version being served; set last. */
const POINTER = 'hw:store:current';

/** Versions in Redis, published last first. */
const VERSIONS = 'hw:store:versions';

/** Told the version after the pointer has moved. */
export const PUBLISHED_CHANNEL = 'hw:store:published';

/** Hash of a version: file name to bytes, with its manifest. */
const versionKey = (version: string) => `hw:store:version:${version}`;

/** Uploads the version, then lets the pointer name it and tells the readers; older versions beyond the kept ones go. */
export async function saveToRedis(redis: Redis, store: StoreFiles): Promise<void> {
  const { version } = store.manifest;
  const key = versionKey(version);
  for (const [name, bytes] of store.files) await redis.hset(key, name, Buffer.from(bytes));
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
export async function currentVersion(redis: Redis): Promise<string | undefined> {
  return (await redis.get(POINTER)) ?? undefined;
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
  const fields = await redis.hgetallBuffer(versionKey(version));
  const { [MANIFEST_FILE]: manifest, ...files } = fields;
  if (!manifest) throw new CorruptFileError(version, 'not in Redis');
  return { manifest: parseManifest(manifest.toString()), files: new Map(Object.entries(files)) };
}

import type { Redis } from 'ioredis';
import { MODELS } from '../../warehouse/build/models.ts';
import { openDatabase, type Database } from '../../warehouse/connect.ts';
import { isIntact, readManifests } from '../../warehouse/lake/lake.ts';
import { currentManifest } from '../../warehouse/lake/place-month.ts';
import { verifyVersions, versionsOf } from '../../warehouse/lake/versions.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { sha256 } from '../../warehouse/ground/sha256.ts';
import { readFromDisk } from '../../warehouse/store/disk.ts';
import { openStore } from '../../warehouse/store/open.ts';
import { currentVersion, readFromRedis } from '../../warehouse/store/redis.ts';

const LOADED = ['raw.route_hours', 'raw.airport_days', 'raw.airport_hours'];
const MARTS = MODELS.filter((model) => model.startsWith('marts/')).map((mart) =>
  mart.replace('/', '.'),
);

/** A hash of each thing a run leaves: lake files, raw tables, marts, and the store served. */
export type Digest = Record<string, string>;

/** What is there after a run, to be held against another run. */
export async function digest(dataDir: string, redis: Redis): Promise<Digest> {
  const { lakeDir, warehouseFile } = dataPaths(dataDir);
  const manifests = await readManifests(lakeDir);
  const found: Digest = {
    lake: hashOf(manifests.map(({ month, files }) => [month, files])),
    store: hashOf(await servedTables(dataDir, redis)),
  };
  return { ...found, ...(await tableHashes(warehouseFile)) };
}

/** What is there right after a kill, to be held against before and after: where lake, warehouse and store are apart, that shows too. */
export async function stateAtOnce(dataDir: string, redis: Redis): Promise<Digest> {
  const { lakeDir, storeDir, warehouseFile } = dataPaths(dataDir);
  const manifests = await readManifests(lakeDir);
  for (const manifest of manifests) {
    const isWhole = await isIntact(lakeDir, manifest);
    if (!isWhole) throw new Error(`lake month ${manifest.month} is half`);
  }
  const version = await currentVersion(redis);
  const [onDisk, inRedis] = [
    await readFromDisk(storeDir),
    version === undefined ? undefined : await readFromRedis(redis, version),
  ];
  for (const store of [onDisk, inRedis]) if (store) openStore(store);
  return {
    lake: hashOf(manifests.map(({ month, files }) => [month, files])),
    warehouse: hashOf(await tableHashes(warehouseFile, LOADED)),
    'store on disk': hashOf(onDisk?.manifest.tables),
    'store in Redis': hashOf(inRedis?.manifest.tables),
  };
}

/** Everything a month was, that can still be had: what counts, and the versions kept whole. */
export async function contentsKept(dataDir: string, month: string): Promise<string[]> {
  const { lakeDir } = dataPaths(dataDir);
  const ref = { month, tree: 'flights' } as const;
  const { damaged } = await verifyVersions(lakeDir, ref);
  const current = await currentManifest(lakeDir, ref);
  const versions = await versionsOf(lakeDir, ref, current);
  return [
    ...(current ? [current] : []),
    ...versions.filter(({ id }) => !damaged.includes(id)).map(({ manifest }) => manifest),
  ].map(({ source, files }) => hashOf([source, files]));
}

/** A hash over the rows of each table a load fills and of each mart, whatever their order. */
export async function tableHashes(
  warehouseFile: string,
  tables: readonly string[] = [...LOADED, ...MARTS],
): Promise<Digest> {
  const db = await openDatabase({ path: warehouseFile, readOnly: true, threads: 1 });
  try {
    const hashes: Digest = {};
    for (const table of tables) hashes[table] = hashOf(await db.rows(`from ${table} order by all`));
    return hashes;
  } finally {
    db.close();
  }
}

/** One hash over every row of what was loaded and of the marts, of a file somebody has open. */
export async function contentOf(db: Database): Promise<string> {
  const hashes: unknown[] = [];
  for (const table of [...LOADED, ...MARTS]) {
    hashes.push(
      await db.rows(`select count(*) as n, bit_xor(hash(t))::varchar as h from ${table} as t`),
    );
  }
  return hashOf(hashes);
}

/** Names of what differs between two runs. */
export function differences(one: Digest, other: Digest): string[] {
  return Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name]);
}

/**
 * Throws when anything a reader could use is half there: a lake month, the copy of the
 * warehouse, the store on disk, the store in Redis.
 */
export async function checkNothingHalf(dataDir: string, redis: Redis): Promise<void> {
  const { lakeDir, storeDir, readFile } = dataPaths(dataDir);
  await tableHashes(readFile);
  for (const manifest of await readManifests(lakeDir)) {
    const isWhole = await isIntact(lakeDir, manifest);
    if (!isWhole) throw new Error(`lake month ${manifest.month} is half`);
  }
  const onDisk = await readFromDisk(storeDir);
  if (onDisk) openStore(onDisk);
  const version = await currentVersion(redis);
  if (version) openStore(await readFromRedis(redis, version));
}

function hashOf(content: unknown): string {
  return sha256(JSON.stringify(content) ?? '');
}

/** What both readers would serve; throws when disk and Redis disagree. */
async function servedTables(dataDir: string, redis: Redis): Promise<unknown> {
  const onDisk = await readFromDisk(dataPaths(dataDir).storeDir);
  const version = await currentVersion(redis);
  if (onDisk?.manifest.version !== version) {
    throw new Error(`disk serves ${onDisk?.manifest.version}, Redis ${version}`);
  }
  return onDisk?.manifest.tables;
}

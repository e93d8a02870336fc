import type { Redis } from 'ioredis';
import { MODELS } from '../../warehouse/build/models.ts';
import { openDatabase, type Database } from '../../warehouse/connect.ts';
import { isIntact, readManifests } from '../../warehouse/lake/lake.ts';
import { currentManifest } from '../../warehouse/lake/place-month.ts';
import { verifyVersions, listVersions } from '../../warehouse/lake/versions.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { readFromDisk } from '../../warehouse/store/disk.ts';
import { openStore } from '../../warehouse/store/open.ts';
import { currentVersion, readFromRedis } from '../../warehouse/store/redis.ts';

const LOADED_TABLES = ['raw.route_hours', 'raw.airport_days', 'raw.airport_hours'];
const MARTS = MODELS.filter((model) => model.startsWith('marts/')).map((mart) =>
  mart.replace('/', '.'),
);

/** Hashes of a run's results: lake files, raw tables, marts, and the published store. */
export type Digest = Record<string, string>;

/** Returns the hashes after a run, for comparison with another run. */
export async function digest(dataDir: string, redis: Redis): Promise<Digest> {
  const { lakeDir, warehouseFile } = dataPaths(dataDir);
  const manifests = await readManifests(lakeDir);
  const digests: Digest = {
    lake: hashOf(manifests.map(({ month, files }) => [month, files])),
    store: hashOf(await servedTables(dataDir, redis)),
  };
  return { ...digests, ...(await tableHashes(warehouseFile)) };
}

/**
 * Returns the hashes right after a kill, for comparison with the states before and after. Lake, warehouse and both
 * copies of the store have separate hashes, because each may be in a different state.
 */
export async function stateAfterKill(dataDir: string, redis: Redis): Promise<Digest> {
  const { lakeDir, storeDir, warehouseFile } = dataPaths(dataDir);
  const manifests = await readManifests(lakeDir);
  for (const manifest of manifests) {
    const isWhole = await isIntact(lakeDir, manifest);
    if (!isWhole) throw new Error(`lake month ${manifest.month} is incomplete`);
  }
  const version = await currentVersion(redis);
  const [onDisk, inRedis] = [
    await readFromDisk(storeDir),
    version === undefined ? undefined : await readFromRedis(redis, version),
  ];
  for (const store of [onDisk, inRedis]) if (store) openStore(store);
  return {
    lake: hashOf(manifests.map(({ month, files }) => [month, files])),
    warehouse: hashOf(await tableHashes(warehouseFile, LOADED_TABLES)),
    'store on disk': hashOf(onDisk?.manifest.tables),
    'store in Redis': hashOf(inRedis?.manifest.tables),
  };
}

/**
 * Returns a hash for each readable version of a month: the current version, and the former versions that are intact.
 */
export async function readMonthContents(dataDir: string, month: string): Promise<string[]> {
  const { lakeDir } = dataPaths(dataDir);
  const ref = { month, tree: 'flights' } as const;
  const { damaged } = await verifyVersions(lakeDir, ref);
  const current = await currentManifest(lakeDir, ref);
  const versions = await listVersions(lakeDir, ref, current);
  return [
    ...(current ? [current] : []),
    ...versions.filter(({ id }) => !damaged.includes(id)).map(({ manifest }) => manifest),
  ].map(({ source, files }) => hashOf([source, files]));
}

/** Returns a hash over the rows of each loaded table and each mart. The order of the rows does not matter. */
export async function tableHashes(
  warehouseFile: string,
  tables: readonly string[] = [...LOADED_TABLES, ...MARTS],
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

/** Returns one hash over all rows of the loaded tables and the marts of an open database. */
export async function hashContent(db: Database): Promise<string> {
  const hashes: unknown[] = [];
  for (const table of [...LOADED_TABLES, ...MARTS]) {
    hashes.push(
      await db.rows(`select count(*) as n, bit_xor(hash(t))::varchar as h from ${table} as t`),
    );
  }
  return hashOf(hashes);
}

/** Returns the names of the parts that differ between two runs. */
export function differences(first: Digest, second: Digest): string[] {
  return Object.keys({ ...first, ...second }).filter((name) => first[name] !== second[name]);
}

/** Throws if a lake month, the copy of the warehouse, or the store on disk or in Redis is incomplete. */
export async function checkAllComplete(dataDir: string, redis: Redis): Promise<void> {
  const { lakeDir, storeDir, readFile } = dataPaths(dataDir);
  await tableHashes(readFile);
  for (const manifest of await readManifests(lakeDir)) {
    const isWhole = await isIntact(lakeDir, manifest);
    if (!isWhole) throw new Error(`lake month ${manifest.month} is incomplete`);
  }
  const onDisk = await readFromDisk(storeDir);
  if (onDisk) openStore(onDisk);
  const version = await currentVersion(redis);
  if (version) openStore(await readFromRedis(redis, version));
}

function hashOf(content: unknown): string {
  return sha256(JSON.stringify(content) ?? '');
}

/** Returns the tables of the current store; throws if disk and Redis disagree. */
async function servedTables(dataDir: string, redis: Redis): Promise<unknown> {
  const onDisk = await readFromDisk(dataPaths(dataDir).storeDir);
  const version = await currentVersion(redis);
  if (onDisk?.manifest.version !== version) {
    throw new Error(`disk serves ${onDisk?.manifest.version}, Redis ${version}`);
  }
  return onDisk?.manifest.tables;
}

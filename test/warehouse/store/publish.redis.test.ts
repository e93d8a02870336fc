import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { CorruptFileError } from '../../../warehouse/errors.ts';
import { readFromDisk, saveToDisk } from '../../../warehouse/store/disk.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { saveStore } from '../../../warehouse/store/publish.ts';
import { currentVersion, readFromRedis, saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';

async function places(t: ExecutionContext) {
  const storeDir = await mkdtemp(path.join(tmpdir(), 'headwind-store-'));
  t.teardown(() => rm(storeDir, { recursive: true }));
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  return { storeDir, redis };
}

test('a published store is the same on disk and in Redis', async (t) => {
  const { storeDir, redis } = await places(t);
  const files = await someStoreFiles();
  const version = await saveStore(storeDir, redis, files);
  t.is(version, files.manifest.version);
  t.is(await currentVersion(redis), version);
  const fromRedis = await readFromRedis(redis, version);
  const fromDisk = await readFromDisk(storeDir);
  t.deepEqual(fromRedis.manifest, files.manifest);
  t.is(openStore(fromRedis).route('JFK', 'LAX')?.flightCount, 150);
  t.deepEqual(
    fromDisk?.files.get('routes.arrow')?.toString(),
    Buffer.from(files.files.get('routes.arrow') ?? []).toString(),
  );
});

test('content that is already current keeps its version and is restored in an empty Redis', async (t) => {
  const { storeDir, redis } = await places(t);
  const first = await saveStore(storeDir, redis, await someStoreFiles());
  await redis.flushall();
  const again = await someStoreFiles({ builtAt: '2026-11-02T02:30:00Z' });
  t.is(await saveStore(storeDir, redis, again), first);
  t.is(await currentVersion(redis), first);
  t.is(openStore(await readFromRedis(redis, first)).manifest.builtAt, '2026-11-01T02:30:00.000Z');
});

test('an upload that was killed expires; a complete version, also one uploaded again, does not', async (t) => {
  const { redis } = await places(t);
  const store = await someStoreFiles();
  const key = `hw:store:version:${store.manifest.version}`;
  const killed = Object.assign(Object.create(redis) as Redis, {
    multi: () => {
      throw new Error('killed');
    },
  });
  await t.throwsAsync(saveToRedis(killed, store), { message: 'killed' });
  const ttlMs = await redis.pttl(key);
  t.true(ttlMs > 0 && ttlMs <= 60 * 60_000, `${ttlMs}`);
  await saveToRedis(redis, store);
  t.is(await redis.pttl(key), -1);
  await t.throwsAsync(saveToRedis(killed, store), { message: 'killed' });
  t.is(await redis.pttl(key), -1, 'a version in use stays');
});

test('a damaged store on disk is replaced by the next publish', async (t) => {
  const { storeDir, redis } = await places(t);
  const version = await saveStore(storeDir, redis, await someStoreFiles());
  await writeFile(path.join(storeDir, version, 'routes.arrow'), 'damaged');
  const next = await saveStore(
    storeDir,
    redis,
    await someStoreFiles({ builtAt: '2026-11-02T02:30:00Z' }),
  );
  t.not(next, version);
  const files = await readFromDisk(storeDir);
  t.is(files && openStore(files).manifest.version, next);
});

test('a large file is stored in Redis in parts and read unchanged', async (t) => {
  const { redis } = await places(t);
  const { manifest, files } = await someStoreFiles();
  const large = Buffer.from(Array.from({ length: 1_300_000 }, (_, at) => at % 251));
  const exact = [0, 1, 2].map(
    (parts) => [`of ${parts}`, large.subarray(0, parts * 524_288)] as const,
  );
  const all = new Map([...files, ['large', large] as const, ...exact]);
  await saveToRedis(redis, { manifest, files: all });
  const fields = await redis.hkeys(`hw:store:version:${manifest.version}`);
  t.deepEqual(fields.filter((field) => field.startsWith('large')).toSorted(), [
    'large',
    'large:1',
    'large:2',
  ]);
  const read = await readFromRedis(redis, manifest.version);
  t.deepEqual(read.manifest, manifest);
  t.deepEqual([...read.files.keys()].toSorted(), [...all.keys()].toSorted());
  for (const [name, bytes] of all) t.true(Buffer.from(bytes).equals(read.files.get(name)!), name);
  t.deepEqual(fields.filter((field) => field.startsWith('of ')).toSorted(), [
    'of 0',
    'of 1',
    'of 2',
    'of 2:1',
  ]);
  // The version is pruned while it is read.
  const prunedRedis = Object.create(redis, {
    hgetBuffer: {
      value: async (key: string, field: string) =>
        field === 'large:2' ? null : redis.hgetBuffer(key, field),
    },
  });
  await t.throwsAsync(readFromRedis(prunedRedis, manifest.version), {
    instanceOf: CorruptFileError,
    message: 'large: was removed while it was read',
  });
});

test('a damaged copy of a version is written again when the version is saved', async (t) => {
  const { storeDir } = await places(t);
  const files = await someStoreFiles();
  await saveToDisk(storeDir, files);
  await writeFile(path.join(storeDir, files.manifest.version, 'routes.arrow'), 'damaged');
  await saveToDisk(storeDir, files);
  const read = await readFromDisk(storeDir);
  t.is(read && openStore(read).route('JFK', 'LAX')?.flightCount, 150);
});

test('processes with the same process id can move the pointer of a folder at the same time', async (t) => {
  const { storeDir } = await places(t);
  const days = [1, 2, 3, 4, 5, 6, 7, 8];
  const stores = await Promise.all(
    days.map((day) => someStoreFiles({ builtAt: `2026-11-0${day}T02:30:00Z` })),
  );
  for (const store of stores) await saveToDisk(storeDir, store);
  // The first process of every API container has the process id 1.
  await Promise.all(stores.map((store) => saveToDisk(storeDir, store)));
  const versions = stores.map(({ manifest }) => manifest.version);
  const current = await readFile(path.join(storeDir, 'current'), 'utf8');
  t.true(versions.includes(current), current);
  t.deepEqual((await readdir(storeDir)).toSorted(), [...versions, 'current'].toSorted());
});

test('old versions and files of a killed publish are removed', async (t) => {
  const { storeDir, redis } = await places(t);
  const leftover = path.join(storeDir, '.0123456789ab-77-00000000-0000-4000-8000-000000000000.tmp');
  await mkdir(leftover);
  await utimes(leftover, 0, 0);
  const pointer = path.join(storeDir, '.0123456789ab-77-00000000-0000-4000-8000-000000000001.tmp');
  await writeFile(pointer, 'half');
  await utimes(pointer, 0, 0);
  const versions: string[] = [];
  for (let day = 1; day <= 7; day++) {
    const files = await someStoreFiles({ delayed: day, builtAt: `2026-11-0${day}T02:30:00Z` });
    versions.push(await saveStore(storeDir, redis, files, { newest: 2, days: 4, weeks: 2 }));
  }
  // The last four days stay, and also Sunday, 1 November, which ends its week.
  const kept = [versions[0] ?? '', ...versions.slice(-4)];
  t.deepEqual((await readdir(storeDir)).toSorted(), [...kept, 'current'].toSorted());
  t.is(await readFile(path.join(storeDir, 'current'), 'utf8'), versions.at(-1) ?? '');
  t.deepEqual(await versionsInRedis(redis), versions.slice(-3));
});

test('six publishes within minutes leave older stores on disk and in Redis', async (t) => {
  const { storeDir, redis } = await places(t);
  const publish = async (delayed: number, builtAt: string) =>
    saveStore(storeDir, redis, await someStoreFiles({ delayed, builtAt }));
  const old = [
    await publish(1, '2026-09-01T02:30:00Z'),
    await publish(2, '2026-10-30T02:30:00Z'),
    await publish(3, '2026-11-01T02:30:00Z'),
  ];
  const today: string[] = [];
  for (let minute = 1; minute <= 6; minute++) {
    today.push(await publish(3 + minute, `2026-11-20T10:0${minute}:00Z`));
  }
  const onDisk = (await readdir(storeDir)).filter((name) => name !== 'current');
  t.deepEqual(onDisk.toSorted(), [...old, ...today.slice(-5)]);
  t.deepEqual(await versionsInRedis(redis), [...old.slice(-2), ...today.slice(-3)]);
});

/** Returns the versions in Redis, oldest first. */
async function versionsInRedis(redis: Redis): Promise<string[]> {
  const keys = await redis.keys('hw:store:version:*');
  return keys.map((key) => key.replace('hw:store:version:', '')).toSorted();
}

test('an older store that is published again becomes current and is not pruned', async (t) => {
  const { storeDir, redis } = await places(t);
  const old = await someStoreFiles({ delayed: 1, builtAt: '2026-10-01T02:30:00Z' });
  await saveStore(storeDir, redis, old);
  await saveStore(storeDir, redis, await someStoreFiles({ delayed: 2 }));
  await saveStore(storeDir, redis, old);
  t.is(await currentVersion(redis), old.manifest.version);
  t.is((await readFromDisk(storeDir))?.manifest.version, old.manifest.version);
});

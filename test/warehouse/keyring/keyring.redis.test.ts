import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { createKeyring, readArchive } from '../../../warehouse/keyring/keyring.ts';
import { folderObjects } from '../../../warehouse/objects/folder.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { anApi, scoreUrl } from '../../api/helpers/app.ts';
import { aKey, aKeystore } from '../../api/helpers/keystore.ts';
import { startCommand } from '../../jobs/helpers/command.ts';
import { queueWorld } from '../../jobs/helpers/queue-world.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';

const MAIN = fileURLToPath(new URL('../../../jobs/main.ts', import.meta.url));
const CREATED = new Date('2026-01-15T09:30:00Z');
const NOW = new Date('2026-03-10T14:00:00Z');

/** A service with keys, an archive, and a queue with its worker. */
async function aService(t: ExecutionContext) {
  const world = await queueWorld(t);
  const { keys, redis } = await aKeystore(t, world.redis.url);
  const dataDir = await tempDir(t);
  const { archiveFile } = dataPaths(dataDir);
  const keyring = createKeyring({ redis, archiveFile, now: () => NOW });
  await world.work({}, keyring);
  const call = anApi({ keys, now: () => NOW });
  return {
    ...world,
    keys,
    keyring,
    redis,
    dataDir,
    archiveFile,
    score: (apiKey: string) => call(scoreUrl({ api_key: apiKey })),
    usage: async (apiKey: string) => (await call(`/api/keys/usage?api_key=${apiKey}`)).body,
    job: async <T>(name: string) => {
      const job = await world.queues.queue('warehouse').add(name, {});
      return world.follow<T>({ queue: 'warehouse', id: job.id ?? '' });
    },
    restore: async () => {
      const env = { DATA_DIR: dataDir, REDIS_URL: world.redis.url };
      const command = startCommand(t, ['keys-restore'], env, MAIN);
      return { code: await command.end, out: command.out(), err: command.err() };
    },
  };
}

test('keys work again with their counts, history and state after Redis is lost', async (t) => {
  const { keys, redis, score, usage, job, restore } = await aService(t);
  const shop = await aKey(keys, 40, CREATED);
  const revoked = await aKey(keys, 40, CREATED);
  await keys.admit(shop.apiKey, 7, new Date('2026-02-10T00:00:00Z'));
  for (const _ of [1, 2, 3]) await score(shop.apiKey);
  await keys.setActive(revoked.prefix, false, NOW);
  t.deepEqual(await job('usage-rollover'), { keys: 2, rows: 4, broken: [] });
  t.deepEqual(await job('archive-keys'), { keys: 2, broken: [], damaged: [] });
  const before = await usage(shop.apiKey);
  t.like(before, { total_requests_all_time: 10 });

  await redis.flushall();
  t.is((await score(shop.apiKey)).status, 401);
  t.deepEqual(await restore(), {
    code: 0,
    out: 'Archive of 2026-03-10 14:00 UTC: 2 keys restored, 0 updated, 0 unchanged.\n',
    err: '',
  });
  t.deepEqual(await usage(shop.apiKey), before);
  const next = await score(shop.apiKey);
  t.is(next.status, 200);
  t.is(next.headers['x-ratelimit-remaining'], '36');
  t.is((await score(revoked.apiKey)).status, 401);
  t.true(await keys.setActive(revoked.prefix, true, NOW), 'the key is found by its prefix');
  t.is((await score(revoked.apiKey)).status, 200);
});

test('a restore never lowers a count and never overwrites a later change', async (t) => {
  const { keys, score, usage, job, restore } = await aService(t);
  const shop = await aKey(keys, 40, CREATED);
  const revoked = await aKey(keys, 40, CREATED);
  await score(shop.apiKey);
  await job('archive-keys');
  await score(shop.apiKey);
  await keys.setActive(revoked.prefix, false, NOW);
  t.regex((await restore()).out, /: 0 keys restored, 0 updated, 2 unchanged/);
  t.like(await usage(shop.apiKey), { total_requests_all_time: 2, current_month: { requests: 2 } });
  t.is((await score(revoked.apiKey)).status, 401);
});

test('a restore updates an older Redis: counts increase, a revoked key stays revoked', async (t) => {
  const { keys, redis, score, usage, job, restore } = await aService(t);
  const shop = await aKey(keys, 40, CREATED);
  for (const _ of [1, 2]) await score(shop.apiKey);
  const names = await redis.keys('hw:*{*');
  const older = await Promise.all(names.map((name) => redis.dumpBuffer(name)));
  for (const _ of [1, 2, 3]) await score(shop.apiKey);
  await keys.setActive(shop.prefix, false, NOW);
  await job('archive-keys');

  for (const [at, name] of names.entries()) {
    await redis.restore(name, 0, older[at] ?? '', 'REPLACE');
  }
  t.is((await score(shop.apiKey)).status, 200, 'the old copy does not have the revocation');
  t.regex((await restore()).out, /: 0 keys restored, 1 updated, 0 unchanged/);
  t.is((await score(shop.apiKey)).status, 401);
  await keys.setActive(shop.prefix, true, new Date(NOW.getTime() + 1));
  t.like(await usage(shop.apiKey), { total_requests_all_time: 5, current_month: { requests: 5 } });
});

test('an emptied Redis does not empty the archive; lost keys are reported and can be restored', async (t) => {
  const { keys, keyring, redis, score, job, restore } = await aService(t);
  const lost = await aKey(keys, 40, CREATED);
  await job('archive-keys');
  await redis.del(...(await redis.keys('hw:*')));
  await aKey(keys, 40, NOW);
  t.deepEqual(await keyring.compare(), { lost: 1, unarchived: 1 });
  t.deepEqual(await job('archive-keys'), { keys: 2, broken: [], damaged: [] });
  t.deepEqual(await keyring.compare(), { lost: 1, unarchived: 0 });
  await restore();
  t.is((await score(lost.apiKey)).status, 200);
});

test('the archive has hashes and prefixes, no keys or e-mail addresses, and only its owner can read it', async (t) => {
  const { keys, archiveFile, job } = await aService(t);
  const { apiKey, prefix } = await aKey(keys, 40, CREATED);
  await job('archive-keys');
  const text = await readFile(archiveFile, 'utf8');
  t.true(text.includes(prefix));
  t.false(text.includes(apiKey.slice(14)));
  t.false(text.includes('shop@example.com'));
  t.is((await stat(archiveFile)).mode & 0o777, 0o600);
});

test('concurrent archive jobs on one folder all succeed and leave a complete archive', async (t) => {
  const { keys, keyring, archiveFile } = await aService(t);
  await aKey(keys, 40, CREATED);
  const reports = await Promise.all([1, 2, 3, 4].map(() => keyring.archive()));
  t.deepEqual(
    reports,
    Array.from({ length: 4 }, () => ({ keys: 1, broken: [], damaged: [] })),
  );
  t.is((await readArchive(archiveFile))?.keys.length, 1);
  t.deepEqual(await readdir(dirname(archiveFile)), [basename(archiveFile)]);
});

test('a damaged archive is refused and stays under another name; the next job writes a new one', async (t) => {
  const { keys, archiveFile, job, restore } = await aService(t);
  await aKey(keys, 40, CREATED);
  await job('archive-keys');
  const text = await readFile(archiveFile, 'utf8');
  await writeFile(archiveFile, text.replace('A shop', 'B shop'));
  t.deepEqual(await restore(), {
    code: 1,
    out: '',
    err: `${archiveFile} is damaged: its sha256 does not match\n`,
  });
  await t.throwsAsync(job('archive-keys'), {
    message: new RegExp(`damaged one is kept as ${archiveFile}\\.damaged`),
  });
  t.deepEqual(await job('archive-keys'), { keys: 1, broken: [], damaged: [] });
  t.regex(await readFile(`${archiveFile}.damaged`, 'utf8'), /B shop/);
  t.is((await restore()).code, 0);
});

test('a damaged archive in the shared storage stays there under another name, and is reported once', async (t) => {
  const { keys, redis, archiveFile } = await aService(t);
  await aKey(keys, 40, CREATED);
  const objects = folderObjects(await tempDir(t));
  const keyring = createKeyring({
    redis,
    archiveFile,
    now: () => NOW,
    objects,
  });
  t.deepEqual((await keyring.archive()).damaged, []);
  const name = 'archive/keys.jsonl';
  const damaged = (await objects.read(name))?.toString().replace('A shop', 'B shop') ?? '';
  await objects.put(name, Buffer.from(damaged));
  t.deepEqual((await keyring.archive()).damaged, [`${objects.place}/${name}.damaged`]);
  t.is((await objects.read(`${name}.damaged`))?.toString(), damaged);
  t.deepEqual((await keyring.archive()).damaged, []);
  t.regex((await objects.read(name))?.toString() ?? '', /A shop/);
});

test('keys of the shared archive count as lost on a machine that never archived them', async (t) => {
  const { keys, redis, archiveFile, keyring: other } = await aService(t);
  await aKey(keys, 40, CREATED);
  const objects = folderObjects(await tempDir(t));
  const now = () => NOW;
  await createKeyring({ redis, archiveFile: `${archiveFile}.other`, now, objects }).archive();
  await redis.flushall();
  const keyring = createKeyring({ redis, archiveFile, now, objects });
  t.deepEqual(await keyring.compare(), { lost: 1, unarchived: 0 });
  t.deepEqual(await other.compare(), { lost: 0, unarchived: 0 }, 'without shared storage');
  const silent = { ...objects, read: () => new Promise<never>(() => undefined) };
  const patient = createKeyring({ redis, archiveFile, now, objects: silent });
  t.deepEqual(await patient.compare(), { lost: 0, unarchived: 0 }, 'a silent storage');
});

test('a damaged archive is not replaced while Redis has fewer keys than the archive', async (t) => {
  const { keys, keyring, redis, archiveFile } = await aService(t);
  await aKey(keys, 40, CREATED);
  await aKey(keys, 40, CREATED);
  await keyring.archive();
  const damaged = (await readFile(archiveFile, 'utf8')).replace('A shop', 'B shop');
  await writeFile(archiveFile, damaged);
  await redis.flushall();
  await aKey(keys, 40, NOW);
  await t.throwsAsync(keyring.archive(), { message: /has 2 API keys, but Redis has only 1/ });
  await t.throwsAsync(keyring.compare(), { name: 'ArchiveDamagedError' });
  t.is(await readFile(archiveFile, 'utf8'), damaged);
  await aKey(keys, 40, NOW);
  t.is((await keyring.archive()).keys, 2);
});

test('a restore without an archive fails with a message', async (t) => {
  const { archiveFile, restore } = await aService(t);
  t.deepEqual(await restore(), {
    code: 1,
    out: '',
    err: `Nothing was restored: the archive ${archiveFile} does not exist\n`,
  });
});

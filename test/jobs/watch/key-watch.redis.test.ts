import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { jobFindings } from '../../../jobs/cli/doctor/redis.ts';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { watchKeys } from '../../../jobs/watch/key-watch.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';
import { restoreKeys } from '../../../warehouse/keyring/archived-keys.ts';
import { createKeyring, readArchive } from '../../../warehouse/keyring/keyring.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { readIncidents } from '../../../warehouse/live/incidents.ts';
import { aKey, aKeystore } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aListener, SECRET } from '../helpers/notice-listener.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const log = pino({ level: 'silent' });

/** Two archived keys, and functions that start workers' checks of archives. */
async function aService(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, url);
  const { received, url: address } = await aListener(t);
  let clock = Date.parse('2026-03-10T02:00:00Z');
  const now = () => new Date(clock);
  let changes = 0;
  const watch = createJobWatch({
    redis,
    paths: dataPaths(await tempDir(t)),
    hook: createWebhook({ url: address, secret: SECRET }, () => new Date(), { pauseMs: 1 }),
    staleness: async () => [],
    onChange: () => (changes += 1),
    log,
    now,
  });
  const machine = async (host: string) => {
    const dataDir = await tempDir(t);
    const { archiveFile } = dataPaths(dataDir);
    const keyring = createKeyring({ redis, archiveFile, now });
    const keyWatch = await watchKeys({ dataDir, keyring, redis, watch, log, host, now });
    t.teardown(keyWatch.close);
    const check = async () => {
      await keyWatch.check();
      await watch.waitUntilDone();
      return (await readIncidents(redis)).map(({ kind }) => kind);
    };
    const restore = async () => restoreKeys(redis, (await readArchive(archiveFile))?.keys ?? []);
    return { ...keyWatch, dataDir, keyring, check, restore };
  };
  const created = [await aKey(keys, 40, now()), await aKey(keys, 40, now())];
  return {
    ...{ redis, keys, received, machine, created },
    changes: () => changes,
    pass: (ms: number) => void (clock += ms),
  };
}

test('lost keys are an incident with a notice until they are restored; archiving does not end it', async (t) => {
  const { redis, keys, received, machine, changes } = await aService(t);
  const { check, keyring, restore, lostKeys, dataDir } = await machine('one');
  await keyring.archive();
  t.deepEqual(await check(), []);
  t.is(lostKeys(), 0);

  await redis.flushall();
  t.deepEqual(await check(), ['keys.lost']);
  t.is(lostKeys(), 2);
  t.is(changes(), 1);
  const [incident] = await readIncidents(redis);
  t.true(
    incident?.text.startsWith(`Redis lost 2 keys of the archive in ${dataDir} on one. Calls `),
  );
  t.like(jobFindings(await readIncidents(redis)), [
    { what: 'keys', state: 'bad', help: 'make keys-restore' },
  ]);
  t.like(received, [{ type: 'keys.lost', text: incident?.text }]);

  await aKey(keys, 40, new Date());
  for (const _ of [1, 2]) t.is((await keyring.archive()).keys, 3);
  t.deepEqual(await check(), ['keys.lost']);
  t.is(received.length, 1);

  t.like(await restore(), { added: 2 });
  t.deepEqual(await check(), []);
  t.is(lostKeys(), 0);
  t.is(changes(), 2);
  t.like(received[1], { type: 'keys.lost.over', text: 'Resolved: lost keys' });
});

test('one lost record is lost, an invalid one is not', async (t) => {
  const { redis, machine, created } = await aService(t);
  const { check, keyring, lostKeys } = await machine('one');
  await keyring.archive();
  const hash = (at: number) => redis.get(`hw:prefix:${created[at]?.prefix}`);
  await redis.set(`hw:key:{${await hash(0)}}`, 'not a hash');
  t.deepEqual(await check(), []);
  await redis.del(`hw:key:{${await hash(1)}}`);
  t.deepEqual(await check(), ['keys.lost']);
  t.is(lostKeys(), 1);
});

test('a machine whose archive lacks the lost keys does not end the incident', async (t) => {
  const { redis, received, machine, pass } = await aService(t);
  const one = await machine('one');
  await one.keyring.archive();
  await redis.flushall();
  const two = await machine('two');
  t.deepEqual(await one.check(), ['keys.lost']);
  t.deepEqual(await two.check(), ['keys.lost']);
  t.is(two.lostKeys(), 2);
  t.is(received.length, 1);
  // The first machine is gone, and its archive with it.
  pass(3 * 60_000);
  t.deepEqual(await two.check(), []);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import pino from 'pino';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { watchStores } from '../../../api/scoring/store-watch.ts';
import { ContentWithdrawnError } from '../../../warehouse/store/withdrawn.ts';
import { currentOnDisk, versionsOnDisk } from '../../../warehouse/store/disk.ts';
import { saveStore } from '../../../warehouse/store/publish.ts';
import { currentVersion } from '../../../warehouse/store/redis.ts';
import { rollBack, RollbackRefusedError } from '../../../warehouse/store/rollback.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles, storeFilesOf } from '../../helpers/store-files.ts';
import { until } from '../../jobs/helpers/command.ts';

/** Publishes three versions, oldest first; the last is current. */
async function publishThree(t: ExecutionContext) {
  const storeDir = await mkdtemp(path.join(tmpdir(), 'headwind-rollback-'));
  t.teardown(() => rm(storeDir, { recursive: true }));
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const publish = async (day: number, delayed = day) => {
    const builtAt = `2026-11-0${day}T02:30:00Z`;
    return saveStore(storeDir, redis, await someStoreFiles({ delayed, builtAt }));
  };
  const [first, second, third] = [await publish(1), await publish(2), await publish(3)];
  const pointers = async () => [await currentOnDisk(storeDir), await currentVersion(redis)];
  return { storeDir, redis, url: server.url, first, second, third, publish, pointers };
}

test('a rollback without a version goes back one version each time', async (t) => {
  const { storeDir, redis, first, second, third, pointers } = await publishThree(t);
  t.deepEqual(await rollBack(storeDir, redis), { from: third, to: second, months: ['2018-07'] });
  t.deepEqual(await pointers(), [second, second]);
  t.is((await rollBack(storeDir, redis)).to, first);
  t.deepEqual(await pointers(), [first, first]);
  await t.throwsAsync(rollBack(storeDir, redis), {
    instanceOf: RollbackRefusedError,
    message: `there is no older version; available versions: ${third}, ${second}, ${first}`,
  });
});

test('versions built within one second are rolled back in the order they were built', async (t) => {
  const { storeDir, redis, first, second, third } = await publishThree(t);
  const built = [first, second, third];
  for (const ms of ['100', '250', '251', '900']) {
    const builtAt = `2026-11-04T02:30:00.${ms}Z`;
    const holiday_days = [
      { country_code: 'US', epoch_day: Number(ms), name: 'Christmas Day', log_odds: 0.5 },
    ];
    built.push(await saveStore(storeDir, redis, storeFilesOf({ holiday_days }, builtAt)));
  }
  t.notDeepEqual(built, built.toSorted(), 'the names sort in another order');
  t.deepEqual(await versionsOnDisk(storeDir), built);
  for (const version of built.toReversed().slice(1)) {
    t.is((await rollBack(storeDir, redis)).to, version);
  }
});

test('a version without its manifest is ordered by the time in its name', async (t) => {
  const { storeDir, first, second, third } = await publishThree(t);
  await rm(path.join(storeDir, second, 'manifest.json'));
  t.deepEqual(await versionsOnDisk(storeDir), [first, second, third]);
});

test('a named version becomes current, whether older or newer', async (t) => {
  const { storeDir, redis, first, third, pointers } = await publishThree(t);
  await rollBack(storeDir, redis, first);
  t.deepEqual(await pointers(), [first, first]);
  await rollBack(storeDir, redis, third);
  t.deepEqual(await pointers(), [third, third]);
});

test('an unknown version is refused with a list of the available versions, and nothing changes', async (t) => {
  const { storeDir, redis, first, second, third, pointers } = await publishThree(t);
  const error = await t.throwsAsync(rollBack(storeDir, redis, '../../etc'), {
    instanceOf: RollbackRefusedError,
  });
  t.deepEqual(error.versions, [third, second, first]);
  await t.throwsAsync(rollBack(storeDir, redis, third), { message: /is already current/ });
  t.deepEqual(await pointers(), [third, third]);
});

test('a damaged version is refused before anything changes', async (t) => {
  const { storeDir, redis, second, third, pointers } = await publishThree(t);
  await writeFile(path.join(storeDir, second, 'routes.arrow'), 'damaged');
  await t.throwsAsync(rollBack(storeDir, redis), {
    instanceOf: RollbackRefusedError,
    message: /is damaged \(routes\.arrow: its sha256/,
  });
  t.deepEqual(await pointers(), [third, third]);
});

test('a version that only Redis has can be rolled back to', async (t) => {
  const { storeDir, redis, second, pointers } = await publishThree(t);
  await rm(path.join(storeDir, second), { recursive: true });
  await rollBack(storeDir, redis);
  t.deepEqual(await pointers(), [second, second]);
});

test('the API serves the target of a rollback as soon as it is announced', async (t) => {
  const { storeDir, redis, url, second, third } = await publishThree(t);
  const stores = await watchStores({
    connect: () => new Redis(url),
    storeDir: await mkdtemp(path.join(storeDir, '.tmp-api-')),
    models: createStoreModels(pino({ level: 'silent' })),
    log: pino({ level: 'silent' }),
    // Only the announcement can cause the refresh.
    refreshEveryMs: 3_600_000,
  });
  t.teardown(() => stores.close());
  await until(
    'the API serves the third version',
    () => stores.current()?.manifest.version === third,
  );
  await rollBack(storeDir, redis);
  await until(
    'the API serves the second version',
    () => stores.current()?.manifest.version === second,
  );
  t.pass();
});

test('content that was rolled back from is not published again, but new content is', async (t) => {
  const { storeDir, redis, second, third, publish, pointers } = await publishThree(t);
  await rollBack(storeDir, redis);
  await t.throwsAsync(publish(4, 3), {
    instanceOf: ContentWithdrawnError,
    message: new RegExp(`equals ${third}, which a rollback withdrew`),
  });
  t.deepEqual(await pointers(), [second, second]);
  t.is(await publish(5, 2), second);
  const next = await publish(6, 6);
  t.deepEqual(await pointers(), [next, next]);
});

test('content that was rolled back from can be published again after a rollback to its version', async (t) => {
  const { storeDir, redis, third, publish, pointers } = await publishThree(t);
  await rollBack(storeDir, redis);
  await rollBack(storeDir, redis, third);
  t.is(await publish(4, 3), third);
  t.deepEqual(await pointers(), [third, third]);
});

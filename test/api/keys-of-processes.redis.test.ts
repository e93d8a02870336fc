import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { quotaMonth } from '../../warehouse/keyring/month.ts';
import { startRedis } from '../helpers/redis.ts';
import { aKey, countsOf } from './helpers/keystore.ts';
import { apiProcesses, scoreStatus } from './helpers/processes.ts';

const MAIN = fileURLToPath(new URL('../../jobs/main.ts', import.meta.url));

async function twoProcesses(t: ExecutionContext) {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys, redis, apis } = await apiProcesses(t, server.url, 2);
  const key = await aKey(keys, 1_000, new Date());
  const counted = async () =>
    (await countsOf(redis, hashKey(key.apiKey), quotaMonth(new Date()).name)).month;
  const statuses = () => Promise.all(apis.map((api) => scoreStatus(api, key.apiKey)));
  return { server, keys, key, counted, statuses };
}

test('after a key is deactivated, every process refuses its next call; after activation it works again', async (t) => {
  const { server, key, counted, statuses } = await twoProcesses(t);
  const command = async (name: string) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, REDIS_URL: server.url };
    await promisify(execFile)(process.execPath, [MAIN, name, '--prefix', key.prefix], { env });
  };
  t.deepEqual(await statuses(), [200, 200]);
  await command('key-deactivate');
  t.deepEqual(await statuses(), [401, 401]);
  await command('key-activate');
  t.deepEqual(await statuses(), [200, 200]);
  t.is(await counted(), 4);
});

test('activating and deactivating under load takes effect with the next call, in every process', async (t) => {
  const { keys, key, statuses } = await twoProcesses(t);
  for (const isActive of [false, true, false, true]) {
    const pending = Promise.all(Array.from({ length: 10 }, statuses));
    await keys.setActive(key.prefix, isActive, new Date());
    t.deepEqual(await statuses(), isActive ? [200, 200] : [401, 401]);
    await pending;
  }
});

test('while Redis hangs, calls get 503 and are not counted; each 200 is counted once', async (t) => {
  const { server, counted, statuses } = await twoProcesses(t);
  t.deepEqual(await statuses(), [200, 200]);
  server.pause();
  t.deepEqual(await statuses(), [503, 503]);
  t.deepEqual(await statuses(), [503, 503]);
  server.resume();
  let good = 2;
  for (let tries = 0; good < 12 && tries < 100; tries += 1) {
    good += (await statuses()).filter((status) => status === 200).length;
    await sleep(20);
  }
  t.true(good >= 12, 'calls work again');
  t.is(await counted(), good);
});

test('when Redis is killed, every answered call is counted, and no call is counted twice', async (t) => {
  const { server, counted, statuses } = await twoProcesses(t);
  const answers: number[] = [];
  const calling = (async () => {
    for (
      let tries = 0;
      tries < 300 && answers.filter((status) => status === 200).length < 60;
      tries += 1
    ) {
      answers.push(...(await statuses()));
      await sleep(10);
    }
  })();
  await sleep(100);
  await server.kill();
  await sleep(300);
  await server.restart();
  await calling;
  const good = answers.filter((status) => status === 200).length;
  const unavailable = answers.filter((status) => status === 503).length;
  t.is(good + unavailable, answers.length);
  t.true(good >= 60, 'calls work again');
  t.true(unavailable > 0, 'calls were made during the outage');
  const calls = await counted();
  t.true(calls >= good && calls <= good + 2, `${calls} counted, ${good} answered`);
});

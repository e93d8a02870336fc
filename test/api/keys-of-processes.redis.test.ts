import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { quotaMonth } from '../../warehouse/keyring/month.ts';
import { startRedis } from '../helpers/redis.ts';
import { until as untilTrue } from '../jobs/helpers/command.ts';
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
  /** Calls each process until it can check the key. On a machine that stalls, Redis may not answer in time. */
  const answers = () =>
    Promise.all(
      apis.map(async (api) => {
        for (;;) {
          const status = await scoreStatus(api, key.apiKey);
          if (status !== 503) return status;
          await sleep(20);
        }
      }),
    );
  return { server, keys, key, counted, statuses, answers };
}

test('after a key is deactivated, every process refuses its next call; after activation it works again', async (t) => {
  const { server, key, counted, answers } = await twoProcesses(t);
  const command = async (name: string) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, REDIS_URL: server.url };
    await promisify(execFile)(process.execPath, [MAIN, name, '--prefix', key.prefix], { env });
  };
  t.deepEqual(await answers(), [200, 200]);
  await command('key-deactivate');
  t.deepEqual(await answers(), [401, 401]);
  await command('key-activate');
  t.deepEqual(await answers(), [200, 200]);
  await untilTrue('each answered call is counted once', async () => (await counted()) === 4);
  t.pass();
});

test('activating and deactivating under load takes effect with the next call, in every process', async (t) => {
  const { keys, key, answers } = await twoProcesses(t);
  for (const isActive of [false, true, false, true]) {
    const pending = Promise.all(Array.from({ length: 10 }, answers));
    await keys.setActive(key.prefix, isActive, new Date());
    t.deepEqual(await answers(), isActive ? [200, 200] : [401, 401]);
    await pending;
  }
});

test('while Redis hangs, calls get 503 and are not counted; each 200 is counted once', async (t) => {
  const { server, counted, statuses, answers } = await twoProcesses(t);
  t.deepEqual(await answers(), [200, 200]);
  server.pause();
  t.deepEqual(await statuses(), [503, 503]);
  t.deepEqual(await statuses(), [503, 503]);
  server.resume();
  let good = 2;
  await untilTrue('calls work again', async () => {
    good += (await statuses()).filter((status) => status === 200).length;
    return good >= 12;
  });
  await untilTrue('only answered calls are counted', async () => (await counted()) === good);
  t.pass();
});

test('when Redis is killed, every answered call is counted, and no call is counted twice', async (t) => {
  const { server, counted, statuses } = await twoProcesses(t);
  const answers: number[] = [];
  const calling = untilTrue('60 calls are answered', async () => {
    answers.push(...(await statuses()));
    return answers.filter((status) => status === 200).length >= 60;
  });
  await untilTrue('calls are answered', () => answers.includes(200));
  await server.kill();
  await untilTrue('calls fail', () => answers.includes(503));
  await server.restart();
  await calling;
  const good = answers.filter((status) => status === 200).length;
  const unavailable = answers.filter((status) => status === 503).length;
  t.is(good + unavailable, answers.length);
  const calls = await counted();
  t.true(calls >= good && calls <= good + 2, `${calls} counted, ${good} answered`);
});

import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { reportHealth } from '../../../api/server/health-report.ts';
import { findMissingSince, readApiReports } from '../../../warehouse/live/api-reports.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const START = Date.parse('2026-11-23T12:00:00Z');
const stores = { current: () => ({}) as never };

/** APIs with one Redis. `kill` ends an API without its last report; `later` moves the clock and lets APIs report. */
async function someApis(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  let ms = START;
  const now = () => new Date(ms);
  const running = new Map<string, ReturnType<typeof reportHealth>>();
  const tick = async () => {
    for (const [address, api] of running) api.listens(address);
    // Redis runs the commands of one connection in order. When these pings are answered, all reports are written.
    for (const _ of [1, 2, 3, 4]) await redis.ping();
  };
  const start = async (address: string) => {
    const api = reportHealth({ redis, stores, now });
    t.teardown(api.close);
    running.set(address, api);
    await tick();
  };
  const later = async (seconds: number) => {
    for (let at = 0; at < seconds; at += 10) {
      ms += 10_000;
      await tick();
    }
  };
  const stop = async (address: string) => {
    await running.get(address)?.close();
    running.delete(address);
  };
  const kill = (address: string) => void running.delete(address);
  const silent = async () =>
    (await readApiReports(redis, now()))
      .filter(({ problem }) => problem !== undefined)
      .map(({ address }) => address.split(' ')[0]);
  const missingSince = async () =>
    findMissingSince(redis, await readApiReports(redis, now()), now());
  return { redis, start, later, stop, kill, silent, missingSince };
}

test('a killed API is silent after 30 s, until a new API at another address replaces it', async (t) => {
  const { start, later, kill, silent } = await someApis(t);
  await start('a:1');
  await start('b:1');
  kill('a:1');
  await later(20);
  t.deepEqual(await silent(), []);
  await later(10);
  t.deepEqual(await silent(), ['a:1']);
  await later(3_600);
  t.deepEqual(await silent(), ['a:1'], 'an API that ran before does not replace it');
  await start('c:1');
  t.deepEqual(await silent(), []);
});

test('an API that starts at once on another port replaces the killed one before it is reported', async (t) => {
  const { start, later, kill, silent } = await someApis(t);
  await start('a:1');
  await later(10);
  kill('a:1');
  await later(10);
  await start('a:2');
  for (let seconds = 0; seconds < 120; seconds += 10) {
    await later(10);
    t.deepEqual(await silent(), []);
  }
});

test('one new API replaces only one of two killed APIs', async (t) => {
  const { start, later, kill, silent } = await someApis(t);
  for (const address of ['a:1', 'b:1']) await start(address);
  for (const address of ['a:1', 'b:1']) kill(address);
  await later(40);
  await start('c:1');
  await later(60);
  t.is((await silent()).length, 1);
  await start('d:1');
  t.deepEqual(await silent(), []);
});

test('an API that restarts at its own address replaces no other API', async (t) => {
  const { start, later, kill, stop, silent } = await someApis(t);
  for (const address of ['a:1', 'b:1']) await start(address);
  kill('a:1');
  await later(40);
  await stop('b:1');
  await later(10);
  await start('b:1');
  await later(60);
  t.deepEqual(await silent(), ['a:1']);
});

test('a stopped API is not silent; without any API, the time of their absence is known', async (t) => {
  const { redis, start, later, stop, silent, missingSince } = await someApis(t);
  await start('a:1');
  t.is(await missingSince(), undefined);
  await stop('a:1');
  t.is(await missingSince(), '2026-11-23T12:00:00.000Z');
  await later(40);
  t.is(await missingSince(), '2026-11-23T12:00:00.000Z');
  t.deepEqual(await silent(), []);
  await start('a:2');
  t.is(await missingSince(), undefined);
  await redis.flushall();
  t.is(await missingSince(), '2026-11-23T12:00:40.000Z', 'a lost Redis begins a new absence');
  await later(10);
  t.is(await missingSince(), undefined);
});

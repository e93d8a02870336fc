import test from 'ava';
import { Redis } from 'ioredis';
import { requestLive } from '../../../jobs/queue/requests.ts';
import { createCallBudget } from '../../../jobs/wiring/weather-calls.ts';
import { readForecasts, saveForecasts, type Forecast } from '../../../warehouse/live/forecasts.ts';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { fakeUpstream } from '../../../bench/stage/fake-upstream.ts';
import { buildForecast, JFK } from '../../../bench/stage/forecasts.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { queueWorld } from '../helpers/queue-world.ts';

const server = await borrowRedis((stop) => test.after.always(stop));

const silent = () => undefined;

const NOW = new Date('2026-11-21T23:59:00Z');

function connect(t: { teardown: (end: () => void) => void }): Redis {
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  return redis;
}

test.serial(
  'all workers share the call budget of a day, which is new on the next day',
  async (t) => {
    const redis = connect(t);
    await redis.flushall();
    const [one, two] = [
      createCallBudget(redis, false, () => NOW),
      createCallBudget(redis, false, () => NOW),
    ];
    t.true(await one.take(8_999.2));
    t.false(await two.take(1));
    const tomorrow = createCallBudget(redis, false, () => new Date('2026-11-22T00:00:00Z'));
    t.true(await tomorrow.take(1));
    t.true(await createCallBudget(redis, true, () => NOW).take(21_000));
  },
);

test.serial('refused calls are not counted', async (t) => {
  const redis = connect(t);
  await redis.flushall();
  const calls = createCallBudget(redis, false, () => NOW);
  t.false(await calls.take(9_001));
  t.true(await calls.take(9_000));
});

test.serial('a pause applies to every worker until it ends', async (t) => {
  const redis = connect(t);
  await redis.flushall();
  const calls = createCallBudget(redis, false, () => NOW);
  t.is(await calls.pausedMs(), 0);
  await calls.pause(60_000);
  const pausedMs = await createCallBudget(connect(t), false, () => NOW).pausedMs();
  t.true(pausedMs > 50_000 && pausedMs <= 60_000);
});

test.serial(
  'forecasts are read as they were saved, and saving does not change other airports',
  async (t) => {
    const redis = connect(t);
    await redis.flushall();
    const forecast = (fetchedAt: string, tempMeanC: number): Forecast => ({
      fetchedAt,
      days: new Map([['2026-11-22', { tempMeanC, weatherCode: 3 }]]),
    });
    const early = forecast('2026-11-21T09:00:00.000Z', 4);
    const late = forecast('2026-11-21T12:00:00.000Z', 6);
    await saveForecasts(
      redis,
      new Map([
        ['JFK', early],
        ['LAX', early],
      ]),
    );
    await saveForecasts(redis, new Map([['LAX', late]]));
    await redis.hset('hw:weather:forecasts', 'SEA', '{"days":');
    const forecasts = await readForecasts(redis);
    t.deepEqual([...forecasts.keys()].toSorted(), ['JFK', 'LAX']);
    t.deepEqual(forecasts.get('JFK'), early);
    t.deepEqual(forecasts.get('LAX'), late);
  },
);

test.serial('a worker fetches the forecasts of the airports of the published store', async (t) => {
  const redis = connect(t);
  await redis.flushall();
  const upstream = await fakeUpstream(t, ({ searchParams }) => {
    const [latitudes = [], longitudes = []] = ['latitude', 'longitude'].map((name) =>
      (searchParams.get(name) ?? '').split(',').map(Number),
    );
    const from = `${new Date().toISOString().slice(0, 10)}T00:00`;
    const answers = latitudes.map((latitude, index) =>
      buildForecast({ ...JFK, latitude, longitude: longitudes[index] ?? 0 }, { from }),
    );
    return { body: JSON.stringify(answers) };
  });
  const dataDir = await tempDir(t);
  const config = {
    dataDir,
    codeVersion: 'test',
    weatherForecastUrl: `${upstream.url}/v1/forecast`,
  };
  const steps = createSteps({ ...config, weatherApiKey: 'k3y', offline: false }, redis);
  t.like(await steps.refreshWeather(silent), { airports: 0, refreshed: 0 });
  await saveToRedis(redis, await someStoreFiles());
  t.deepEqual(await steps.refreshWeather(silent), {
    ...{ airports: 2, refreshed: 2, calls: 2, problems: [] },
  });
  t.deepEqual([...(await readForecasts(redis)).keys()].toSorted(), ['JFK', 'LAX']);
  t.is(upstream.requests.length, 1);
  t.regex(upstream.requests[0] ?? '', /apikey=k3y/);
  const offline = createSteps({ ...config, offline: true }, redis);
  t.regex((await offline.refreshWeather(silent)).problems[0] ?? '', /OFFLINE=1/);
  t.is(upstream.requests.length, 1);
});

test('two requests for a refresh make one job and return its report', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const first = await requestLive(queues, 'refresh-weather');
  t.deepEqual(await requestLive(queues, 'refresh-weather'), first);
  t.is(await queues.queue('live').getWaitingCount(), 1);
  const report = { airports: 3, refreshed: 2, calls: 3, problems: ['one is unreachable'] };
  await work({ refreshWeather: async () => report });
  t.deepEqual(await follow(first), report);
});

test('a failed refresh is not retried, as the next one is scheduled soon', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  let attempts = 0;
  await work({
    refreshWeather: async () => {
      attempts += 1;
      throw new Error('no answer');
    },
  });
  const job = await requestLive(queues, 'refresh-weather');
  await t.throwsAsync(follow(job), { message: /no answer/ });
  t.is(attempts, 1);
});

import { fileURLToPath } from 'node:url';
import test from 'ava';
import { Redis } from 'ioredis';
import { openQueues, type Queues } from '../../../jobs/queue/queues.ts';
import { requestLive } from '../../../jobs/queue/requests.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { fakeUpstream } from '../../../bench/stage/fake-upstream.ts';
import { buildForecast, JFK } from '../../../bench/stage/forecasts.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { startCommand, until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const MAIN = fileURLToPath(new URL('../../../jobs/main.ts', import.meta.url));
const LIVE_SCHEDULES = ['weather', 'news', 'nas'];
const NO_MEASURES =
  '<AIRPORT_STATUS_INFORMATION><Update_Time>unknown</Update_Time></AIRPORT_STATUS_INFORMATION>';

const ONCE_A_YEAR = '0 0 1 1 *';
/**
 * On a busy machine, a call or the parsing of an answer may exceed its deadline. Refreshes of weather and news then try
 * up to three times; a refresh of the airport status does not try again.
 */
const MAX_CALLS = 3;

/** Starts the next run of every live schedule now, and waits until all have ended. */
async function tick(queues: Queues): Promise<void> {
  const live = queues.queue('live');
  for (const id of LIVE_SCHEDULES) {
    const job = `repeat:${id}:${(await live.getJobScheduler(id))?.next}`;
    await (await live.getJob(job))?.promote();
    await until(`${job} is done`, async () => (await live.getJobState(job)) === 'completed');
  }
}

test('with two workers, each schedule runs once at its time', async (t) => {
  const upstream = await fakeUpstream(t, ({ pathname, searchParams }) => {
    if (pathname === '/nas') return { body: NO_MEASURES };
    if (pathname.startsWith('/feed')) {
      return { body: '<rss version="2.0"><channel><title>Wire</title></channel></rss>' };
    }
    const [latitudes = [], longitudes = []] = ['latitude', 'longitude'].map((name) =>
      (searchParams.get(name) ?? '').split(',').map(Number),
    );
    const from = `${new Date().toISOString().slice(0, 10)}T00:00`;
    const answers = latitudes.map((latitude, at) =>
      buildForecast({ ...JFK, latitude, longitude: longitudes[at] ?? 0 }, { from }),
    );
    return { body: JSON.stringify(answers) };
  });
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  await saveToRedis(redis, await someStoreFiles());
  const env = {
    DATA_DIR: await tempDir(t),
    REDIS_URL: server.url,
    LOG_LEVEL: 'info',
    WEATHER_FORECAST_URL: `${upstream.url}/forecast`,
    NEWS_FEEDS: `${upstream.url}/feed/1 ${upstream.url}/feed/2`,
    NAS_STATUS_URL: `${upstream.url}/nas`,
    SCHEDULE_WEATHER: ONCE_A_YEAR,
    SCHEDULE_NEWS: ONCE_A_YEAR,
    SCHEDULE_NAS: ONCE_A_YEAR,
  };
  const workers = [1, 2].map(() => startCommand(t, ['worker'], env, MAIN));
  await until('both workers are ready', () =>
    workers.every(({ out }) => /worker ready/.test(out())),
  );
  const queues = openQueues(server.url);
  t.teardown(queues.close);
  const TICKS = 2;
  for (let at = 0; at < TICKS; at += 1) await tick(queues);
  const runs = await queues.queue('live').getCompleted();
  for (const [job, paths] of Object.entries({
    'refresh-weather': ['/forecast'],
    'refresh-news': ['/feed/1', '/feed/2'],
    'refresh-nas': ['/nas'],
  })) {
    t.is(runs.filter(({ name }) => name === job).length, TICKS, job);
    for (const path of paths) {
      const calls = upstream.requests.filter((request) => request.split('?')[0] === path).length;
      const most = path === '/nas' ? TICKS : TICKS * MAX_CALLS;
      t.true(calls >= TICKS && calls <= most, `${path}: ${calls} calls`);
    }
  }
});

test('a refresh requested while a scheduled refresh runs follows that job', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const weather = Promise.withResolvers<Report>();
  let fetches = 0;
  const steps = {
    refreshWeather: () => {
      fetches += 1;
      return weather.promise;
    },
  };
  await work(steps);
  await work(steps);
  await queues.queue('live').add('refresh-weather', {}, { jobId: 'scheduled' });
  await until('the refresh runs', () => fetches === 1);
  const requested = await requestLive(queues, 'refresh-weather');
  t.deepEqual(requested, { queue: 'live', id: 'scheduled' });
  weather.resolve(REPORT);
  t.deepEqual(await follow(requested), REPORT);
  t.is(fetches, 1);
});

test('a scheduled refresh that ends during a request is not run a second time', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const weather = Promise.withResolvers<Report>();
  let fetches = 0;
  const refreshWeather = () => {
    fetches += 1;
    return weather.promise;
  };
  await work({ refreshWeather });
  const live = queues.queue('live');
  await live.add('refresh-weather', {}, { jobId: 'scheduled' });
  await until('the refresh runs', () => fetches === 1);
  const endingQueue = Object.create(live, {
    getActive: {
      value: async () => {
        const active = await live.getActive();
        weather.resolve(REPORT);
        await until('the refresh ends', async () => (await live.getCompletedCount()) === 1);
        return active;
      },
    },
  }) as typeof live;
  const requested = await requestLive({ ...queues, queue: () => endingQueue }, 'refresh-weather');
  t.deepEqual(await follow(requested), REPORT);
  t.is(fetches, 1);
  t.is(await live.count(), 0);
});

type Report = { airports: number; refreshed: number; calls: number; problems: string[] };
const REPORT: Report = { airports: 1, refreshed: 1, calls: 1, problems: [] };

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { forkApi, startApi } from '../../../bench/stage/api-process.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { fakeUpstream, type Answer } from '../../../bench/stage/fake-upstream.ts';
import { aKey, aKeystore } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { until } from '../helpers/command.ts';

const strike = (): Answer => ({
  headers: { 'content-type': 'application/rss+xml' },
  body: `<rss version="2.0"><channel><title>Wire</title><item>
    <title>Baggage handlers strike at JFK airport, flights cancelled</title>
    <link>https://wire.example/1</link><pubDate>${new Date().toUTCString()}</pubDate>
  </item></channel></rss>`,
});

type Body = Record<string, unknown> & { news?: unknown[]; meta: Record<string, unknown> };

/**
 * Starts a service: a published store, a worker process, API processes, a key, and a fake upstream that serves the
 * feeds.
 */
async function aService(
  t: ExecutionContext,
  processes: number,
  feeds: (upstream: Upstream) => string,
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'hw-news-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  await saveToRedis(redis, await someStoreFiles());
  const upstream = await fakeUpstream(t, strike);
  // The tests do not read the logs.
  const settings = { REDIS_URL: server.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  // Schedules that are due during the test reach no real server.
  const sources = {
    NEWS_FEEDS: feeds(upstream),
    WEATHER_FORECAST_URL: upstream.faultUrl('refused'),
  };
  const worker = forkApi(['worker'], { ...settings, ...sources });
  t.teardown(() => worker.kill('SIGKILL'));
  const { keys } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 100_000, new Date());
  const apis = await Promise.all(Array.from({ length: processes }, () => startApi(settings)));
  for (const { stop } of apis) t.teardown(stop);
  const ports = apis.map(({ port }) => port);
  const call = async (path: string, port = ports[0]) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}&api_key=${apiKey}`);
    return { status: response.status, body: (await response.json()) as Body };
  };
  for (const port of ports) {
    await until('the API serves', async () => (await call(NEWS, port)).status === 200);
  }
  /** Retries a 503, like clients do: a busy machine may not check a key in time. */
  const callWithRetries: typeof call = async (path, port) => {
    const answer = await call(path, port);
    return answer.status === 503 ? callWithRetries(path, port) : answer;
  };
  return { upstream, call, callWithRetries, ports, redis };
}

type Upstream = Awaited<ReturnType<typeof fakeUpstream>>;

const NEWS = '/api/news?origin=JFK&dest=LAX';

test('a thousand calls with refresh=true to two API processes make one request to the upstream', async (t) => {
  const { upstream, call, callWithRetries, ports, redis } = await aService(
    t,
    2,
    ({ url }) => `${url}/search?q={origin}-{dest}`,
  );
  // Waits for the worker, then removes the record of the first calls, so that the next call fetches again.
  for (const port of ports) {
    await until('news', async () => (await call(NEWS, port)).body.news?.length === 1);
  }
  await redis.del('hw:news:request:JFK-LAX');
  upstream.requests.length = 0;
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => callWithRetries(`${NEWS}&refresh=true`, ports[n % 2])),
  );
  t.deepEqual(upstream.requests, ['/search?q=JFK-LAX']);
  t.true(answers.every(({ status, body }) => status === 200 && body.news?.length === 1));
  t.true(answers.some(({ body }) => body.meta['cached'] === false));

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const score = await call(`/api/score?origin=JFK&dest=LAX&airline=DL&date=${tomorrow}&news=true`);
  t.is(score.body.news?.length, 1);
  const parts = score.body['components'] as { key: string; value: number }[];
  t.true((parts.find(({ key }) => key === 'event_risk')?.value ?? 0) > 0.5);
});

test('while every upstream fails, news and scores are answered, and the worker keeps running', async (t) => {
  const { call, upstream, redis } = await aService(t, 1, ({ faultUrl }) =>
    ['refused', 'unknown-host', 'status-500', 'html', 'gzip-bomb', 'to-metadata']
      .map((trouble) => `${faultUrl(trouble as 'html')}?r={origin}`)
      .join(' '),
  );
  const { status, body } = await call(`${NEWS}&refresh=true`);
  t.is(status, 200);
  t.like(body, { news: [], meta: { count: 0, cached: false } });
  const today = new Date().toISOString().slice(0, 10);
  const score = await call(`/api/score?origin=JFK&dest=LAX&airline=DL&date=${today}&news=true`);
  t.is(score.status, 200);
  t.deepEqual(score.body.news, []);
  // If the worker fetches the news of another route, it is still running.
  const requests = () => upstream.requests.filter((request) => request.includes('r=LAX'));
  await until('the worker fetches', async () => {
    await redis.del('hw:news:request:LAX-JFK');
    await call('/api/news?origin=LAX&dest=JFK&refresh=true');
    return requests().length > 0;
  });
  t.true(requests().length > 0);
});

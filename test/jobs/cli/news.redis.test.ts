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

/** A published store, a worker process, so many API processes and a key, on an upstream with these feeds. */
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
  // Nobody reads what they print.
  const settings = { REDIS_URL: server.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  // A test calls nobody, whatever the time of day.
  const sources = {
    NEWS_FEEDS: feeds(upstream),
    WEATHER_FORECAST_URL: upstream.addressIn('refused'),
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
    await until('it serves', async () => (await call(NEWS, port)).status === 200);
  }
  /** As clients do: a machine that is busy may not check a key in time, says so, and is asked again. */
  const answered: typeof call = async (path, port) => {
    const answer = await call(path, port);
    return answer.status === 503 ? answered(path, port) : answer;
  };
  return { upstream, call, answered, ports, redis };
}

type Upstream = Awaited<ReturnType<typeof fakeUpstream>>;

const NEWS = '/api/news?origin=JFK&dest=LAX';

test('a thousand calls with refresh=true to two API processes are one call of the upstream', async (t) => {
  const { upstream, call, answered, ports, redis } = await aService(
    t,
    2,
    ({ url }) => `${url}/search?q={origin}-{dest}`,
  );
  // The first call, which waited for the start of the worker, is forgotten.
  for (const port of ports) {
    await until('news', async () => (await call(NEWS, port)).body.news?.length === 1);
  }
  await redis.del('hw:news:asked:JFK-LAX');
  upstream.requests.length = 0;
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => answered(`${NEWS}&refresh=true`, ports[n % 2])),
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

test('with every upstream in trouble news and scores are answered, and the worker goes on', async (t) => {
  const { call, upstream, redis } = await aService(t, 1, ({ addressIn }) =>
    ['refused', 'unknown-host', 'status-500', 'html', 'gzip-bomb', 'to-metadata']
      .map((trouble) => `${addressIn(trouble as 'html')}?r={origin}`)
      .join(' '),
  );
  const { status, body } = await call(`${NEWS}&refresh=true`);
  t.is(status, 200);
  t.like(body, { news: [], meta: { count: 0, cached: false } });
  const today = new Date().toISOString().slice(0, 10);
  const score = await call(`/api/score?origin=JFK&dest=LAX&airline=DL&date=${today}&news=true`);
  t.is(score.status, 200);
  t.deepEqual(score.body.news, []);
  // Another route is still answered for: the worker lives.
  const asked = () => upstream.requests.filter((request) => request.includes('r=LAX'));
  await until('the worker asks', async () => {
    await redis.del('hw:news:asked:LAX-JFK');
    await call('/api/news?origin=LAX&dest=JFK&refresh=true');
    return asked().length > 0;
  });
  t.true(asked().length > 0);
});

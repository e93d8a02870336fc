import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { NAS_STATUS_KEY } from '../../../warehouse/live/nas.ts';
import { NEWS_CHANNEL, NEWS_ROUTES_KEY, type NewsItem } from '../../../warehouse/live/news.ts';
import { aNewsItem } from '../../helpers/news-items.ts';
import { startRedis } from '../../helpers/redis.ts';
import { SOME_KEY, scoreUrl } from '../helpers/app.ts';
import { aNewsWorld, NEWS_STORE } from '../helpers/news-world.ts';

const STORE = NEWS_STORE;
const recent = (changes: Partial<NewsItem> = {}) =>
  aNewsItem({ publishedAt: new Date(Date.now() - 60_000).toISOString(), ...changes });

async function until(isTrue: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 2_400 && !isTrue(); tries += 1) await sleep(25);
  return isTrue();
}

const newsUrl = (more = '') => `/api/news?origin=JFK&dest=LAX${more}&api_key=${SOME_KEY}`;
const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('the first call for a route fetches its news, later calls use the cache', async (t) => {
  const { place, api, worker, workerLines } = await aNewsWorld(t);
  const fetched = worker(async (route) => {
    await place.changeItems(() => [recent()]);
    await place.noteFetched(route, new Date());
  });
  const { call } = await api();
  const first = await call(newsUrl());
  t.like(first.body, { meta: { count: 1, cached: false, cache_ttl_hours: 6 } });
  const second = await call(newsUrl());
  t.like(second.body, { meta: { count: 1, cached: true } });
  t.deepEqual(second.body['news'], first.body['news']);
  t.deepEqual(fetched, ['JFK-LAX']);
  const ids = workerLines().map(({ id }) => id);
  t.deepEqual(ids, [first.headers['x-request-id']], 'the log of the fetch has the request id');
});

test('after six hours a call fetches the route again', async (t) => {
  const { redis, place, api, worker, clock } = await aNewsWorld(t);
  const fetched = worker((route) => place.noteFetched(route, clock.now()));
  const { call } = await api();
  const fetchedBefore = (hours: number) =>
    redis.hset(NEWS_ROUTES_KEY, 'JFK-LAX', new Date(Date.now() - hours * 3_600_000).toISOString());
  await fetchedBefore(5.9);
  t.like((await call(newsUrl())).body, { meta: { cached: true } });
  await fetchedBefore(6.1);
  t.like((await call(newsUrl())).body, { meta: { cached: false } });
  t.deepEqual(fetched, ['JFK-LAX']);
});

test('a thousand calls with refresh=true to two processes cause one fetch, and all return its news', async (t) => {
  const { place, api, worker } = await aNewsWorld(t);
  const fetched = worker(async (route) => {
    await sleep(200);
    await place.changeItems(() => [recent()]);
    await place.noteFetched(route, new Date());
  });
  const apis = await Promise.all([api(), api()]);
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => apis[n % 2]!.call(newsUrl('&refresh=true'))),
  );
  t.deepEqual(fetched, ['JFK-LAX']);
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  t.true(answers.every(({ body }) => (body['news'] as unknown[]).length === 1));
  // Within a minute the route is not fetched again.
  t.like((await apis[0].call(newsUrl('&refresh=true'))).body, { meta: { cached: true } });
  t.is(fetched.length, 1);
});

test('when the fetch fails, the answer is the last known list', async (t) => {
  const { place, api, worker } = await aNewsWorld(t);
  await place.changeItems(() => [recent()]);
  const before = new Date('2026-11-20T00:00:00Z');
  await place.noteFetched('JFK-LAX', before);
  worker((route) => place.noteFailed(route));
  const { call } = await api();
  const { status, body } = await call(newsUrl('&refresh=true'));
  t.is(status, 200);
  t.like(body, { meta: { count: 1, cached: true, fetched_at: before.toISOString() } });
});

test('after a failed fetch, further calls are answered at once', async (t) => {
  const { place, api, worker } = await aNewsWorld(t);
  const fetched = worker((route) => place.noteFailed(route));
  // With this wait the test would time out if a call waited for the worker.
  const { call } = await api(600_000);
  for (const url of [newsUrl(), newsUrl(), newsUrl('&refresh=true')]) {
    t.is((await call(url)).status, 200);
  }
  t.deepEqual(fetched, ['JFK-LAX']);
});

test('before the first fetch, fetched_at is null, and cached is false', async (t) => {
  const { place, api, worker, clock } = await aNewsWorld(t);
  worker((route) => place.noteFailed(route));
  const { call, live } = await api();
  const now = new Date('2026-07-29T15:00:00Z');
  clock.now = () => now;
  const meta = { count: 0, cached: false, fetched_at: null, cache_ttl_hours: 6 };
  t.deepEqual((await call(newsUrl())).body['meta'], meta);
  t.is(live.fetchTimes().news, undefined);
  // The general feeds also contain news of routes, so a fetch of the general feeds sets `fetched_at`.
  const fetchedAt = new Date('2026-07-29T14:30:00Z');
  await place.noteFetched('', fetchedAt);
  t.true(await until(() => live.fetchTimes().news !== undefined));
  t.deepEqual((await call(newsUrl())).body['meta'], {
    ...meta,
    cached: true,
    fetched_at: fetchedAt.toISOString(),
  });
});

test('without a worker the known news are returned at once, also while Redis is unavailable', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { place, api } = await aNewsWorld(t, server);
  await place.changeItems(() => [recent()]);
  await place.noteFetched('', new Date());
  // With this wait the test would time out if a call waited for the worker.
  const { call, live } = await api(600_000);
  const [origin, dest] = [STORE.airport('JFK')!, STORE.airport('LAX')!];
  t.true(
    await until(
      () => live.danger(FLIGHT, STORE) !== undefined && live.fetchTimes().news !== undefined,
    ),
  );
  for (const url of [newsUrl(), newsUrl('&refresh=true')]) {
    t.like((await call(url)).body, { meta: { count: 1, cached: true } });
  }
  await server.kill();
  t.is((await live.news({ origin, dest }, true, { requestId: 'a-request' })).items.length, 1);
  t.is((await call(scoreUrl({ date: inDays(1), news: 'true' }))).status, 200);
});

const FLIGHT = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: inDays(1) };

test('a strike at an airport raises event risk and score of flights there, but of no other flights', async (t) => {
  const { place, api } = await aNewsWorld(t);
  const { call, live } = await api();
  const scoreOf = async (origin: string, dest: string, days = 1) => {
    const airline = origin === 'AKL' || dest === 'AKL' ? 'NZ' : 'AA';
    const url = scoreUrl({ origin, dest, airline, date: inDays(days) });
    const { body } = await call(url);
    const parts = body['components'] as { key: string; value: number }[];
    return {
      score: body['score'] as number,
      risk: parts.find(({ key }) => key === 'event_risk')?.value,
    };
  };
  const calm = await scoreOf('JFK', 'LAX');
  const other = await scoreOf('AKL', 'LAX');
  t.is(calm.risk, 0);

  await place.changeItems(() => [recent({ severity: 0.9, impact: 'high' })]);
  t.true(await until(() => live.danger(FLIGHT, STORE) !== undefined));
  const hit = await scoreOf('JFK', 'LAX');
  t.true((hit.risk ?? 0) > 0.75);
  t.true(hit.score > calm.score);
  t.true(((await scoreOf('LAX', 'JFK')).risk ?? 0) > 0.75);
  t.deepEqual(await scoreOf('AKL', 'LAX'), other);
  t.deepEqual((await scoreOf('JFK', 'LAX', 180)).risk, 0);

  const endedAt = new Date().toISOString();
  await place.changeItems((items) => items.map((item) => ({ ...item, endedAt })));
  t.true(await until(() => live.danger(FLIGHT, STORE) === undefined));
  t.deepEqual(await scoreOf('JFK', 'LAX'), calm);
});

test('the lineage has the age of the news and, for flights of today, of the airport status', async (t) => {
  const { redis, place, api, clock } = await aNewsWorld(t);
  clock.now = () => new Date('2026-07-29T15:00:00Z');
  const { call, live } = await api();
  const lineageOf = async (date: string) => {
    const { body } = await call(scoreUrl({ date, include: 'lineage' }));
    const { news, airport_status } = body['lineage'] as Record<string, { age_min: number | null }>;
    return [news?.age_min, airport_status?.age_min];
  };
  t.deepEqual(await lineageOf('2026-07-29'), [null, null]);
  const fetchedAt = '2026-07-29T14:55:00.000Z';
  await redis.set(NAS_STATUS_KEY, JSON.stringify({ fetchedAt, programs: [] }));
  await place.noteFetched('JFK-LAX', new Date('2026-07-29T14:59:00Z'));
  await place.noteFetched('', new Date('2026-07-29T14:30:00Z'));
  t.true(await until(() => live.eventSources(FLIGHT, STORE).newsAt !== undefined));
  t.deepEqual(await lineageOf('2026-07-29'), [30, 5], 'a status without measures has an age too');
  t.deepEqual(await lineageOf('2026-07-30'), [30, null], 'the status does not apply to tomorrow');
  clock.now = () => new Date('2026-07-29T15:55:00Z');
  t.deepEqual(await lineageOf('2026-07-29'), [85, null], 'the status is too old');
});

test('a fresh ground stop raises the risk of flights of today only', async (t) => {
  const { redis, api, clock } = await aNewsWorld(t);
  const { live } = await api();
  clock.now = () => new Date('2026-07-29T15:00:00Z');
  const programs = [{ airport: 'LAX', kind: 'stop', severity: 0.8, reason: 'wind' }];
  const status = { fetchedAt: '2026-07-29T14:55:00.000Z', programs };
  await redis.set(NAS_STATUS_KEY, JSON.stringify(status));
  await redis.publish(NEWS_CHANNEL, '');
  const risk = (flightDate: string) => live.danger({ ...FLIGHT, flightDate }, STORE)?.risk ?? 0;
  t.true(await until(() => risk('2026-07-29') > 0));
  t.is(Math.round(100 * risk('2026-07-29')), 80);
  t.is(risk('2026-07-30'), 0);
  const [lax, jfk] = ['LAX', 'JFK'].map((iata) => live.airportEvents(STORE.airport(iata)!));
  t.like(lax, { measures: programs, statusAt: status.fetchedAt });
  t.deepEqual(jfk?.measures, []);
  clock.now = () => new Date('2026-07-29T15:40:00Z');
  t.is(Math.round(100 * risk('2026-07-29')), 40, 'it fades');
  clock.now = () => new Date('2026-07-29T15:55:00Z');
  t.is(risk('2026-07-29'), 0);
  t.deepEqual(live.airportEvents(STORE.airport('LAX')!).measures, [], 'the status is too old');
});

import test from 'ava';
import { createFetchLimits } from '../../../api/live/fetch-limits.ts';
import { connectRedis, waitUntilReady } from '../../../api/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aNewsWorld, NEWS_STORE as STORE } from '../helpers/news-world.ts';

test('a key causes at most 20 refreshes an hour, and all callers together 30 fetches a minute', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const [one, other] = [connectRedis(server.url), connectRedis(server.url)];
  t.teardown(() => [one, other].forEach((redis) => redis.disconnect()));
  await Promise.all([waitUntilReady(one, 10_000), waitUntilReady(other, 10_000)]);
  const processes = [createFetchLimits(one), createFetchLimits(other)] as const;
  const admittedOf = async (count: number, fetch: { keyPrefix: string; isRefresh: boolean }) => {
    const admitted = await Promise.all(
      Array.from({ length: count }, (_, at) => processes[at % 2 === 0 ? 0 : 1](fetch)),
    );
    return admitted.filter(Boolean).length;
  };
  t.is(await admittedOf(150, { keyPrefix: 'hw_live_a', isRefresh: true }), 20);
  t.is(await admittedOf(1, { keyPrefix: 'hw_live_a', isRefresh: false }), 1);
  t.is(await admittedOf(5, { keyPrefix: 'hw_live_b', isRefresh: true }), 5);
  t.is(await admittedOf(20, { keyPrefix: 'hw_live_c', isRefresh: false }), 4);
});

test('a call is free if no news could be fetched for it, and is counted if a usable cache answers it', async (t) => {
  const { place, api, worker } = await aNewsWorld(t);
  worker((route) => place.noteFailed(route));
  const { live } = await api();
  const [origin, dest] = [STORE.airport('JFK')!, STORE.airport('LAX')!];
  const isFree = async (isFresh: boolean) =>
    (await live.news({ origin, dest }, isFresh, { requestId: 'a-request' })).isFailed;
  t.true(await isFree(false), 'nothing was ever fetched');
  await place.noteFetched('', new Date(Date.now() - 3_600_000));
  t.false(await isFree(false), 'the general feeds are an hour old');
  t.true(await isFree(true), 'the requested refresh failed');
  await place.noteFetched('', new Date(Date.now() - 7 * 3_600_000));
  t.true(await isFree(false), 'everything is older than the cache may be');
});

test('refreshes of many routes with one key cause 20 fetches; further calls are answered from the cache', async (t) => {
  const { place, api, worker } = await aNewsWorld(t);
  const fetched = worker((route) => place.noteFetched(route, new Date()));
  const { live } = await api();
  await place.noteFetched('', new Date());
  const caller = { requestId: 'a-request', keyPrefix: 'hw_test_000000' };
  const airports = ['JFK', 'LAX', 'AKL'].map((iata) => STORE.airport(iata)!);
  const calls = Array.from({ length: 150 }, (_, at) => {
    const [origin, dest] = [airports[at % 3]!, airports[(at + 1) % 3]!];
    // Airports of invented codes, so that each call requests another route.
    const named = { ...origin, iata: String.fromCharCode(65 + (at % 26), 65 + (at % 25), 90) };
    return live.news({ origin: named, dest }, true, caller);
  });
  const answers = await Promise.all(calls);
  t.is(fetched.length, 20);
  const cached = answers.filter(({ isCached }) => isCached);
  t.is(cached.length, 130);
  t.true(cached.every(({ isFailed }) => !isFailed));
});

import test from 'ava';
import type { FindNews } from '../../../api/live/news-types.ts';
import { newsBody, type NewsItem } from '../../../api/schemas/news.ts';
import { someDanger } from '../../helpers/danger.ts';
import { anApi, fakeKeys, NOW, scoreUrl, SOME_KEY } from '../helpers/app.ts';

const STRIKE: NewsItem = {
  title: 'Controllers strike on Friday',
  summary: 'A strike of controllers will delay most flights from New York.',
  source: 'Example Times',
  url: 'https://news.example/strike',
  published_at: '2026-03-10T12:00:00.000Z',
  impact: 'high',
  event_type: 'strike',
  severity: 0.8,
};

const newsUrl = (extra = '') => `/api/news?origin=jfk&dest=lax${extra}&api_key=${SOME_KEY}`;

function someNews() {
  const requests: [string, string, boolean][] = [];
  const news: FindNews = ({ origin, dest }, isFresh) => {
    requests.push([origin.iata, dest.iata, isFresh]);
    const fetchedAt = new Date('2026-03-10T13:00:00Z');
    return Promise.resolve({ items: [STRIKE], fetchedAt, isCached: !isFresh, isFailed: false });
  };
  return { news, requests };
}

test('news have their count, their time of fetch and whether they were cached', async (t) => {
  const { news, requests } = someNews();
  const { status, body } = await anApi({ news })(newsUrl());
  t.is(status, 200);
  t.notThrows(() => newsBody.parse(body));
  t.deepEqual(body, {
    origin: 'JFK',
    dest: 'LAX',
    news: [STRIKE],
    meta: { count: 1, cached: true, fetched_at: '2026-03-10T13:00:00.000Z', cache_ttl_hours: 6 },
  });
  t.deepEqual(requests, [['JFK', 'LAX', false]]);
});

test('refresh=true bypasses the cache', async (t) => {
  const { news, requests } = someNews();
  const { body } = await anApi({ news })(newsUrl('&refresh=true'));
  t.like(body, { meta: { cached: false } });
  t.deepEqual(requests, [['JFK', 'LAX', true]]);
});

test('a score takes its news from memory and starts no fetch', async (t) => {
  const { news, requests } = someNews();
  const flightNews = () => [STRIKE];
  const call = anApi({ news, flightNews });
  t.deepEqual((await call(scoreUrl({ news: 'true' }))).body['news'], [STRIKE]);
  t.deepEqual(requests, []);
});

test('requesting the news changes no other field of a score', async (t) => {
  const call = anApi({ flightNews: () => [STRIKE], liveInputs: () => ({ danger: someDanger() }) });
  const { body } = await call(scoreUrl());
  const withNews = await call(scoreUrl({ news: 'true' }));
  t.deepEqual(withNews.body, { ...body, news: [STRIKE] });
});

test('news that could not be fetched are free, and null is their time of fetch', async (t) => {
  const keys = fakeKeys();
  const call = anApi({
    keys,
    news: async () => ({ items: [], fetchedAt: undefined, isCached: false, isFailed: true }),
  });
  const { status, headers, body } = await call(newsUrl());
  t.is(status, 200);
  t.like(body, { meta: { cached: false, fetched_at: null } });
  t.is(keys.counted, 0);
  t.is(headers['x-ratelimit-remaining'], '100');
});

test('without news the list is empty and has the time of its fetch', async (t) => {
  const { body } = await anApi()(newsUrl());
  t.deepEqual(body['news'], []);
  t.deepEqual(body['meta'], {
    count: 0,
    cached: false,
    fetched_at: NOW.toISOString(),
    cache_ttl_hours: 6,
  });
});

test('news count as one call, and refusals are not counted', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys });
  t.is((await call(newsUrl())).status, 200);
  t.is(keys.counted, 1);
  t.like(await call(newsUrl('&refresh=maybe')), { status: 400, body: { param: 'refresh' } });
  t.like(await call(newsUrl().replace('lax', 'jfk')), { status: 400, body: { param: 'dest' } });
  t.like(await call(newsUrl().replace('lax', 'zzz')), {
    status: 404,
    body: { error: 'unknown_airport', param: 'dest' },
  });
  t.is(keys.counted, 1);
});

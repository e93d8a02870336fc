import test from 'ava';
import { RequestError } from '../../api/errors.ts';
import { anApi, fakeKeys, NOW, scoreUrl, SOME_KEY } from './helpers/app.ts';

const URLS = [
  scoreUrl(),
  `/api/score/batch?flights=JFK-LAX-AA-2026-03-20,JFK-LAX-AA-2026-03-21&api_key=${SOME_KEY}`,
  `/api/calendar?origin=JFK&dest=LAX&airline=AA&month=2026-04&api_key=${SOME_KEY}`,
  `/api/airlines?origin=JFK&dest=LAX&api_key=${SOME_KEY}`,
  `/api/news?origin=JFK&dest=LAX&api_key=${SOME_KEY}`,
];
const IN_TEN_MINUTES = new Date(NOW.getTime() + 600_000);

test('a repeated call whose answer has not changed gets 304 without a body, and is free', async (t) => {
  for (const url of URLS) {
    const keys = fakeKeys();
    const call = anApi({ keys, nextRefreshAt: () => IN_TEN_MINUTES });
    const first = await call(url);
    const { etag = '' } = first.headers;
    t.regex(etag, /^W\/"[0-9a-z]+-[0-9a-z]+"$/, url);
    t.is(first.headers['cache-control'], 'private, max-age=600');
    const cost = keys.counted;
    t.true(cost > 0);
    for (const tag of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await call(url, { headers: { 'if-none-match': tag } });
      t.is(again.status, 304, `${url} ${tag}`);
      t.deepEqual(again.body, {});
      t.is(again.headers.etag, etag);
      t.is(again.headers['cache-control'], 'private, max-age=600');
      t.is(again.headers['x-ratelimit-remaining'], String(100 - cost));
    }
    t.is(keys.counted, cost, url);
  }
});

test('a repeated call whose answer has changed is counted once and gets the new answer', async (t) => {
  const keys = fakeKeys();
  let hasNews = false;
  const call = anApi({
    keys,
    flightNews: () => (hasNews ? [NEWS] : []),
  });
  const url = scoreUrl({ news: 'true' });
  const { etag = '' } = (await call(url)).headers;
  hasNews = true;
  const changed = await call(url, { headers: { 'if-none-match': etag } });
  t.is(changed.status, 200);
  t.not(changed.headers.etag, etag);
  t.is((changed.body['news'] as object[]).length, 1);
  t.is(keys.counted, 2);
  t.is(changed.headers['x-ratelimit-remaining'], '98');
});

test('an exhausted key gets 304 for an unchanged answer and 429 for a changed one', async (t) => {
  const { etag = '' } = (await anApi()(scoreUrl())).headers;
  const call = anApi({ keys: fakeKeys({ verdict: 'over', monthCount: 100 }) });
  t.is((await call(scoreUrl(), { headers: { 'if-none-match': etag } })).status, 304);
  t.is((await call(scoreUrl(), { headers: { 'if-none-match': '"other"' } })).status, 429);
});

test('a conditional call with a bad key or bad parameters is refused', async (t) => {
  const headers = { 'if-none-match': '*' };
  const keys = { ...fakeKeys(), admit: async () => ({ verdict: 'invalid' as const }) };
  t.is((await anApi({ keys })(scoreUrl(), { headers })).status, 401);
  t.is((await anApi()(scoreUrl({ date: 'soon' }), { headers })).status, 400);
  const assess = () => {
    throw new RequestError(500, 'internal_error', 'broken');
  };
  t.is((await anApi({ assess })(scoreUrl(), { headers })).status, 500);
});

test('while the next refresh is unknown or due, caches must revalidate; refusals are never stored', async (t) => {
  for (const at of [undefined, NOW, new Date('2026-03-10T13:59:00Z')]) {
    const { headers } = await anApi({ nextRefreshAt: () => at })(scoreUrl());
    t.is(headers['cache-control'], 'private, no-cache');
  }
  const refused = await anApi()(scoreUrl({ date: 'soon' }));
  t.is(refused.headers['cache-control'], 'no-store');
  t.is(refused.headers.etag, undefined);
  const usage = await anApi()(`/api/keys/usage?api_key=${SOME_KEY}`);
  t.is(usage.headers['cache-control'], 'no-store');
});

const NEWS = {
  title: 'Strike at JFK',
  summary: 'A strike will delay flights from New York.',
  source: 'Example Times',
  url: 'https://news.example/strike',
  published_at: '2026-03-10T12:00:00.000Z',
  impact: 'high',
  event_type: 'strike',
  severity: 0.8,
} as const;

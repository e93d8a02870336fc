import test, { type ExecutionContext } from 'ava';
import { loadGazetteer } from '../../../bench/news/classify.ts';
import { dangerOf } from '../../../models/danger.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../pipelines/fetch-guarded.ts';
import { createFeedReader } from '../../../pipelines/news/feed-reader.ts';
import { openFeedParser } from '../../../pipelines/news/parser-thread.ts';
import { createNewsSteps } from '../../../pipelines/news/refresh.ts';
import { builtInSummary } from '../../../pipelines/news/summarise.ts';
import { filterOngoing } from '../../../warehouse/live/news.ts';
import { fakeUpstream, FAULTS, type Answer } from '../../../bench/stage/fake-upstream.ts';
import { memoryNews } from '../../helpers/memory-news.ts';
import { aStore } from '../../helpers/store.ts';

const gazetteer = await loadGazetteer();
const NOW = new Date('2026-11-20T12:00:00Z');

const entry = (
  title: string,
  date = 'Fri, 20 Nov 2026 10:00:00 GMT',
  link = 'https://wire.example/1',
) =>
  `<item><title>${title}</title><link>${link}</link>${date && `<pubDate>${date}</pubDate>`}</item>`;

const rss = (...entries: string[]): Answer => ({
  headers: { 'content-type': 'application/rss+xml', etag: '"1"' },
  body: `<rss version="2.0"><channel><title>Wire</title>${entries.join('')}</channel></rss>`,
});

async function aWorld(t: ExecutionContext, serve: (url: URL) => Answer, clock = { now: NOW }) {
  const upstream = await fakeUpstream(t, (url, request) =>
    request.headers['if-none-match'] === '"1"' ? { status: 304, body: '' } : serve(url),
  );
  const place = memoryNews();
  // Only upstreams that never answer get the short deadline. Other requests have more time, so that they succeed on a
  // busy machine.
  const fetchWithin = (deadlineMs: number) =>
    createGuardedFetch({ deadlineMs, maxBytes: 2_000_000 });
  const [impatientFetch, patientFetch] = [fetchWithin(500), fetchWithin(30_000)];
  const fetch: GuardedFetch = (request) =>
    (/never-answers|trickle/.test(request.url) ? impatientFetch : patientFetch)(request);
  const now = () => clock.now;
  const read = createFeedReader({ fetch, storage: place, now, retryMs: 1 });
  const steps = (general: string[], perRoute: string[] = [], isOffline = false) =>
    createNewsSteps({
      feeds: { general, perRoute },
      read: isOffline ? undefined : read,
      openParser: () => openFeedParser(),
      gazetteer: async () => gazetteer,
      airport: async (iata) => aStore().airport(iata),
      summariser: () => async (item) => builtInSummary(item),
      storage: place,
      now,
    });
  return { upstream, place, steps };
}

const noProgress = () => undefined;

test('relevant entries of a feed are stored as items', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () =>
    rss(entry('Baggage handlers at Gatwick walk out'), entry('Minister resigns')),
  );
  const report = await steps([`${upstream.url}/a`]).refreshNews(noProgress);
  t.deepEqual(report, { feeds: 1, failed: [], read: 2, relevant: 1, kept: 1 });
  t.deepEqual(place.storedItems, [
    {
      id: place.storedItems[0]?.id ?? '',
      title: 'Baggage handlers at Gatwick walk out',
      summary: 'Industrial action is reported to disrupt flights at LGW.',
      source: 'Wire',
      url: 'https://wire.example/1',
      publishedAt: '2026-11-20T10:00:00.000Z',
      eventType: 'strike',
      impact: 'medium',
      severity: 0.6,
      touches: { airports: ['LGW'], carriers: [], countries: [] },
    },
  ]);
  t.deepEqual(place.fetchedRoutes, ['']);
});

test('dates of 1970 and 2099 are refused; a missing date or one slightly in the future becomes now', async (t) => {
  const cases = {
    'Thu, 01 Jan 1970 00:00:00 GMT': undefined,
    'Thu, 01 Jan 2099 00:00:00 GMT': undefined,
    'Thu, 12 Nov 2026 00:00:00 GMT': undefined,
    'Fri, 20 Nov 2026 20:00:00 GMT': '2026-11-20T12:00:00.000Z',
    'some day': '2026-11-20T12:00:00.000Z',
    '': '2026-11-20T12:00:00.000Z',
  };
  for (const [date, expected] of Object.entries(cases)) {
    const { upstream, place, steps } = await aWorld(t, () =>
      rss(entry('Strike at Gatwick airport', date)),
    );
    await steps([`${upstream.url}/a`]).refreshNews(noProgress);
    t.is(place.storedItems[0]?.publishedAt, expected, date);
  }
});

test('no fault of one feed affects the other feeds or stored items', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () => rss(entry('Strike at Gatwick airport')));
  const faultyUrls = FAULTS.map((trouble) => upstream.faultUrl(trouble));
  const report = await steps([...faultyUrls, `${upstream.url}/good`]).refreshNews(noProgress);
  t.is(report.failed.length, FAULTS.length);
  t.deepEqual([report.kept, place.fetchedRoutes], [1, ['']]);
});

test('when every feed fails, the stored items stay and the failure is reported', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () => rss(entry('Strike at Gatwick airport')));
  await steps([`${upstream.url}/good`]).refreshNews(noProgress);
  const report = await steps([upstream.faultUrl('status-500')]).refreshNews(noProgress);
  t.deepEqual([report.kept, place.failedRoutes, place.fetchedRoutes], [1, [''], ['']]);
});

test('an unchanged feed is not sent again', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () => rss(entry('Strike at Gatwick airport')));
  await steps([`${upstream.url}/a`]).refreshNews(noProgress);
  const again = await steps([`${upstream.url}/a`]).refreshNews(noProgress);
  t.deepEqual(again, { feeds: 1, failed: [], read: 0, relevant: 0, kept: 1 });
  t.is(place.fetchedRoutes.length, 2);
});

test('a feed whose items could not be stored is fetched again in full', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () => rss(entry('Strike at Gatwick airport')));
  const { changeItems } = place;
  place.changeItems = async () => {
    throw new Error('Redis is unreachable');
  };
  await t.throwsAsync(steps([`${upstream.url}/a`]).refreshNews(noProgress), {
    message: /unreachable/,
  });
  place.changeItems = changeItems;
  t.like(await steps([`${upstream.url}/a`]).refreshNews(noProgress), { read: 1, kept: 1 });
});

test('a failing feed is tried three times, and after three refreshes paused for two hours', async (t) => {
  const clock = { now: NOW };
  const { upstream, steps } = await aWorld(t, () => ({ status: 500, body: '' }), clock);
  const news = steps([`${upstream.url}/a`]);
  for (let round = 0; round < 5; round += 1) await news.refreshNews(noProgress);
  t.is(upstream.requests.length, 9);
  const { failed } = await news.refreshNews(noProgress);
  t.regex(failed[0]?.problem ?? '', /paused after repeated failures/);
});

test('a feed that names a retry time is not fetched before it', async (t) => {
  const clock = { now: NOW };
  const { upstream, steps } = await aWorld(t, () => rss(), clock);
  const news = steps([upstream.faultUrl('status-429')]);
  await news.refreshNews(noProgress);
  await news.refreshNews(noProgress);
  t.is(upstream.requests.length, 1);
  clock.now = new Date('2026-11-20T12:02:01Z');
  await news.refreshNews(noProgress);
  t.is(upstream.requests.length, 2);
});

test('stories older than seven days are dropped', async (t) => {
  const clock = { now: NOW };
  const { upstream, place, steps } = await aWorld(
    t,
    () => rss(entry('Strike at Gatwick airport')),
    clock,
  );
  await steps([`${upstream.url}/a`]).refreshNews(noProgress);
  clock.now = new Date('2026-11-27T10:00:01Z');
  await steps([`${upstream.url}/a`]).refreshNews(noProgress);
  t.deepEqual(place.storedItems, []);
});

test('route news come from the route’s own addresses', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () =>
    rss(entry('Storm cancels flights at JFK')),
  );
  const report = await steps([], [`${upstream.url}/s?q={origin_city}+{dest}`]).refreshRouteNews(
    'JFK-LAX',
  );
  t.deepEqual(upstream.requests, ['/s?q=New%20York+LAX']);
  t.deepEqual([report.kept, place.fetchedRoutes], [1, ['JFK-LAX']]);
});

test('a search that fails for three routes is paused for all routes, and other searches continue', async (t) => {
  const { upstream, steps } = await aWorld(t, ({ pathname }) =>
    pathname === '/dead' ? { status: 500, body: '' } : rss(),
  );
  const templates = ['dead', 'well'].map((name) => `${upstream.url}/${name}?q={origin}+{dest}`);
  const news = steps([], templates);
  const routes = ['JFK-LAX', 'LAX-JFK', 'JFK-AKL', 'AKL-JFK', 'LAX-AKL'];
  const reports = [];
  for (const route of routes) reports.push(await news.refreshRouteNews(route));
  const countRequests = (path: string) =>
    upstream.requests.filter((one) => one.startsWith(path)).length;
  // Three tries for each of the first three routes.
  t.deepEqual([countRequests('/dead'), countRequests('/well')], [9, routes.length]);
  t.regex(reports.at(-1)?.failed[0]?.problem ?? '', /paused after repeated failures/);
});

test('a search that names a retry time is not called for any route before it', async (t) => {
  const clock = { now: NOW };
  const { upstream, steps } = await aWorld(t, () => rss(), clock);
  const news = steps([], [`${upstream.faultUrl('status-429')}?q={origin}`]);
  await news.refreshRouteNews('JFK-LAX');
  await news.refreshRouteNews('LAX-JFK');
  t.is(upstream.requests.length, 1);
  clock.now = new Date('2026-11-20T12:02:01Z');
  await news.refreshRouteNews('LAX-JFK');
  t.is(upstream.requests.length, 2);
});

test('with OFFLINE=1 nothing is fetched, the report states it, and waiting routes are notified', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () =>
    rss(entry('Storm cancels flights at JFK')),
  );
  const offline = steps([`${upstream.url}/a`], [`${upstream.url}/s?q={origin}`], true);
  const { failed } = await offline.refreshNews(noProgress);
  const problem = 'not fetched: OFFLINE=1 is set';
  t.deepEqual(failed, [{ feed: `${new URL(upstream.url).host}/a`, problem }]);
  await offline.refreshRouteNews('JFK-LAX');
  t.deepEqual([upstream.requests, place.failedRoutes], [[], ['', 'JFK-LAX']]);
});

test('a story in two feeds is stored once, and raises the risk once', async (t) => {
  const { upstream, place, steps } = await aWorld(t, ({ pathname }) =>
    pathname === '/a'
      ? rss(entry('Storm cancels flights at Kennedy airport'))
      : rss(
          entry('Flights at Kennedy airport cancelled: storm', undefined, 'https://post.example/9'),
        ),
  );
  const flight = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-11-20' };
  const risk = () => {
    const current = { events: place.storedItems, measures: [] };
    return dangerOf({ ...flight, countries: ['US'] }, current, () => undefined, NOW)?.risk ?? 0;
  };
  await steps([`${upstream.url}/a`]).refreshNews(noProgress);
  const riskOfOne = risk();
  await steps([`${upstream.url}/a`, `${upstream.url}/b`]).refreshNews(noProgress);
  t.is(place.storedItems.length, 1);
  t.is(risk(), riskOfOne);
  t.true(riskOfOne > 0.6);
});

test('a strike that is called off is no longer shown, and its old report does not restore it', async (t) => {
  const { upstream, place, steps } = await aWorld(t, ({ pathname }) =>
    pathname === '/over'
      ? rss(
          entry(
            'Gatwick strike called off',
            'Fri, 20 Nov 2026 11:00:00 GMT',
            'https://a.example/2',
          ),
        )
      : rss(entry('Strike at Gatwick airport')),
  );
  const refresh = (path: string) => steps([`${upstream.url}${path}`]).refreshNews(noProgress);
  t.is((await refresh('/a')).kept, 1);
  t.is((await refresh('/over')).kept, 0);
  t.is((await refresh('/b')).kept, 0);
  t.deepEqual(filterOngoing(place.storedItems), []);
});

test('a strike is stored until a week after the day it names', async (t) => {
  const clock = { now: new Date('2026-11-20T12:00:00Z') };
  const title = 'Strike announced at Gatwick airport for 1 December';
  const { upstream, place, steps } = await aWorld(
    t,
    ({ pathname }) =>
      rss(...(pathname === '/a' ? [entry(title, 'Fri, 20 Nov 2026 11:00:00 GMT')] : [])),
    clock,
  );
  const storedDays = async (iso: string) => {
    clock.now = new Date(iso);
    await steps([`${upstream.url}/none`]).refreshNews(noProgress);
    return place.storedItems.map(({ days }) => days);
  };
  await steps([`${upstream.url}/a`]).refreshNews(noProgress);
  const days = { from: '2026-12-01', until: '2026-12-01' };
  t.deepEqual(await storedDays('2026-11-30T12:00:00Z'), [days]);
  t.deepEqual(await storedDays('2026-12-08T12:00:00Z'), [days]);
  t.deepEqual(await storedDays('2026-12-09T12:00:00Z'), []);
});

import test, { type ExecutionContext } from 'ava';
import { realGazetteer } from '../../../bench/news/judged.ts';
import { dangerOf } from '../../../models/danger.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../pipelines/fetch-guarded.ts';
import { createFeedReader } from '../../../pipelines/news/feed-reader.ts';
import { openFeedParser } from '../../../pipelines/news/parser-thread.ts';
import { createNewsSteps } from '../../../pipelines/news/refresh.ts';
import { builtInSummary } from '../../../pipelines/news/summarise.ts';
import { ongoing } from '../../../warehouse/live/news.ts';
import { fakeUpstream, TROUBLES, type Answer } from '../../../bench/stage/fake-upstream.ts';
import { memoryNews } from '../../helpers/news-place.ts';
import { aStore } from '../../helpers/store.ts';

const gazetteer = await realGazetteer();
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
  // Only what never answers runs into a deadline, however busy the machine.
  const within = (deadlineMs: number) => createGuardedFetch({ deadlineMs, maxBytes: 2_000_000 });
  const [hasty, patient] = [within(500), within(30_000)];
  const fetch: GuardedFetch = (request) =>
    (/never-answers|trickle/.test(request.url) ? hasty : patient)(request);
  const now = () => clock.now;
  const read = createFeedReader({ fetch, place, now, retryMs: 1 });
  const steps = (general: string[], perRoute: string[] = [], isOffline = false) =>
    createNewsSteps({
      feeds: { general, perRoute },
      read: isOffline ? undefined : read,
      openParser: () => openFeedParser(),
      gazetteer: async () => gazetteer,
      airport: async (iata) => aStore().airport(iata),
      summariser: () => async (item) => builtInSummary(item),
      place,
      now,
    });
  return { upstream, place, steps };
}

const silent = () => undefined;

test('what is relevant in a feed is kept as an item', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () =>
    rss(entry('Baggage handlers at Gatwick walk out'), entry('Minister resigns')),
  );
  const report = await steps([`${upstream.url}/a`]).refreshNews(silent);
  t.deepEqual(report, { feeds: 1, failed: [], read: 2, relevant: 1, kept: 1 });
  t.deepEqual(place.kept, [
    {
      id: place.kept[0]?.id ?? '',
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
  t.deepEqual(place.fetched, ['']);
});

test('dates of 1970 and 2099 are refused, none is now, a little ahead is now', async (t) => {
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
    await steps([`${upstream.url}/a`]).refreshNews(silent);
    t.is(place.kept[0]?.publishedAt, expected, date);
  }
});

test('every trouble of one feed leaves the others, and what was known, as they are', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () => rss(entry('Strike at Gatwick airport')));
  const bad = TROUBLES.map((trouble) => upstream.addressIn(trouble));
  const report = await steps([...bad, `${upstream.url}/good`]).refreshNews(silent);
  t.is(report.failed.length, TROUBLES.length);
  t.deepEqual([report.kept, place.fetched], [1, ['']]);
});

test('when nothing can be had the old items stay, and that is told', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () => rss(entry('Strike at Gatwick airport')));
  await steps([`${upstream.url}/good`]).refreshNews(silent);
  const report = await steps([upstream.addressIn('status-500')]).refreshNews(silent);
  t.deepEqual([report.kept, place.failed, place.fetched], [1, [''], ['']]);
});

test('a feed that has not changed is not sent again', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () => rss(entry('Strike at Gatwick airport')));
  await steps([`${upstream.url}/a`]).refreshNews(silent);
  const again = await steps([`${upstream.url}/a`]).refreshNews(silent);
  t.deepEqual(again, { feeds: 1, failed: [], read: 0, relevant: 0, kept: 1 });
  t.is(place.fetched.length, 2);
});

test('a feed whose items could not be kept is sent again in full', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () => rss(entry('Strike at Gatwick airport')));
  const { changeItems } = place;
  place.changeItems = async () => {
    throw new Error('Redis is away');
  };
  await t.throwsAsync(steps([`${upstream.url}/a`]).refreshNews(silent), { message: /away/ });
  place.changeItems = changeItems;
  t.like(await steps([`${upstream.url}/a`]).refreshNews(silent), { read: 1, kept: 1 });
});

test('a feed that fails is tried three times, and after three refreshes left alone for two hours', async (t) => {
  const clock = { now: NOW };
  const { upstream, steps } = await aWorld(t, () => ({ status: 500, body: '' }), clock);
  const news = steps([`${upstream.url}/a`]);
  for (let round = 0; round < 5; round += 1) await news.refreshNews(silent);
  t.is(upstream.requests.length, 9);
  const { failed } = await news.refreshNews(silent);
  t.regex(failed[0]?.problem ?? '', /left alone after failing too often/);
});

test('a feed that says when to come back is not asked before', async (t) => {
  const clock = { now: NOW };
  const { upstream, steps } = await aWorld(t, () => rss(), clock);
  const news = steps([upstream.addressIn('status-429')]);
  await news.refreshNews(silent);
  await news.refreshNews(silent);
  t.is(upstream.requests.length, 1);
  clock.now = new Date('2026-11-20T12:02:01Z');
  await news.refreshNews(silent);
  t.is(upstream.requests.length, 2);
});

test('stories older than seven days are dropped', async (t) => {
  const clock = { now: NOW };
  const { upstream, place, steps } = await aWorld(
    t,
    () => rss(entry('Strike at Gatwick airport')),
    clock,
  );
  await steps([`${upstream.url}/a`]).refreshNews(silent);
  clock.now = new Date('2026-11-27T10:00:01Z');
  await steps([`${upstream.url}/a`]).refreshNews(silent);
  t.deepEqual(place.kept, []);
});

test('a route is searched for by its own addresses', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () =>
    rss(entry('Storm cancels flights at JFK')),
  );
  const report = await steps([], [`${upstream.url}/s?q={origin_city}+{dest}`]).refreshRouteNews(
    'JFK-LAX',
  );
  t.deepEqual(upstream.requests, ['/s?q=New%20York+LAX']);
  t.deepEqual([report.kept, place.fetched], [1, ['JFK-LAX']]);
});

test('a search that fails for three routes is asked for no other, and harms no other search', async (t) => {
  const { upstream, steps } = await aWorld(t, ({ pathname }) =>
    pathname === '/dead' ? { status: 500, body: '' } : rss(),
  );
  const templates = ['dead', 'well'].map((name) => `${upstream.url}/${name}?q={origin}+{dest}`);
  const news = steps([], templates);
  const routes = ['JFK-LAX', 'LAX-JFK', 'JFK-AKL', 'AKL-JFK', 'LAX-AKL'];
  const reports = [];
  for (const route of routes) reports.push(await news.refreshRouteNews(route));
  const asked = (path: string) => upstream.requests.filter((one) => one.startsWith(path)).length;
  // Three tries for each of the first three routes.
  t.deepEqual([asked('/dead'), asked('/well')], [9, routes.length]);
  t.regex(reports.at(-1)?.failed[0]?.problem ?? '', /left alone after failing too often/);
});

test('a search that says when to come back is asked for no route before', async (t) => {
  const clock = { now: NOW };
  const { upstream, steps } = await aWorld(t, () => rss(), clock);
  const news = steps([], [`${upstream.addressIn('status-429')}?q={origin}`]);
  await news.refreshRouteNews('JFK-LAX');
  await news.refreshRouteNews('LAX-JFK');
  t.is(upstream.requests.length, 1);
  clock.now = new Date('2026-11-20T12:02:01Z');
  await news.refreshRouteNews('LAX-JFK');
  t.is(upstream.requests.length, 2);
});

test('offline, nothing is called, the report says so, and the routes waiting are told', async (t) => {
  const { upstream, place, steps } = await aWorld(t, () =>
    rss(entry('Storm cancels flights at JFK')),
  );
  const offline = steps([`${upstream.url}/a`], [`${upstream.url}/s?q={origin}`], true);
  const { failed } = await offline.refreshNews(silent);
  const problem = 'not fetched, for OFFLINE=1 is set';
  t.deepEqual(failed, [{ feed: `${new URL(upstream.url).host}/a`, problem }]);
  await offline.refreshRouteNews('JFK-LAX');
  t.deepEqual([upstream.requests, place.failed], [[], ['', 'JFK-LAX']]);
});

test('a story in two feeds is kept once, and raises the risk as one does', async (t) => {
  const { upstream, place, steps } = await aWorld(t, ({ pathname }) =>
    pathname === '/a'
      ? rss(entry('Storm cancels flights at Kennedy airport'))
      : rss(
          entry('Flights at Kennedy airport cancelled: storm', undefined, 'https://post.example/9'),
        ),
  );
  const flight = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-11-20' };
  const risk = () => {
    const inForce = { events: place.kept, measures: [] };
    return dangerOf({ ...flight, countries: ['US'] }, inForce, () => undefined, NOW)?.risk ?? 0;
  };
  await steps([`${upstream.url}/a`]).refreshNews(silent);
  const ofOne = risk();
  await steps([`${upstream.url}/a`, `${upstream.url}/b`]).refreshNews(silent);
  t.is(place.kept.length, 1);
  t.is(risk(), ofOne);
  t.true(ofOne > 0.6);
});

test('a strike that is called off is a story no more, and its old report does not bring it back', async (t) => {
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
  const refresh = (path: string) => steps([`${upstream.url}${path}`]).refreshNews(silent);
  t.is((await refresh('/a')).kept, 1);
  t.is((await refresh('/over')).kept, 0);
  t.is((await refresh('/b')).kept, 0);
  t.deepEqual(ongoing(place.kept), []);
});

test('a strike is kept until the day it names is over, and a week longer', async (t) => {
  const clock = { now: new Date('2026-11-20T12:00:00Z') };
  const title = 'Strike announced at Gatwick airport for 1 December';
  const { upstream, place, steps } = await aWorld(
    t,
    ({ pathname }) =>
      rss(...(pathname === '/a' ? [entry(title, 'Fri, 20 Nov 2026 11:00:00 GMT')] : [])),
    clock,
  );
  const kept = async (iso: string) => {
    clock.now = new Date(iso);
    await steps([`${upstream.url}/none`]).refreshNews(silent);
    return place.kept.map(({ days }) => days);
  };
  await steps([`${upstream.url}/a`]).refreshNews(silent);
  const days = { from: '2026-12-01', until: '2026-12-01' };
  t.deepEqual(await kept('2026-11-30T12:00:00Z'), [days]);
  t.deepEqual(await kept('2026-12-08T12:00:00Z'), [days]);
  t.deepEqual(await kept('2026-12-09T12:00:00Z'), []);
});

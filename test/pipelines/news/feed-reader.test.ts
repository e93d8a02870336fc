import test from 'ava';
import { createGuardedFetch } from '../../../pipelines/fetch-guarded.ts';
import { createFeedReader } from '../../../pipelines/news/feed-reader.ts';
import { fakeUpstream } from '../../../bench/stage/fake-upstream.ts';

const PARSER = {
  parse: async () => ({ title: '', items: [], unusable: 0 }),
  close: async () => undefined,
};

test('a server cannot stop a feed for longer than two hours, or a search for longer than ten minutes', async (t) => {
  const busy = { status: 429, body: '', headers: { 'retry-after': '86400' } };
  const upstream = await fakeUpstream(t, ({ pathname }) =>
    pathname === '/well' ? { body: '' } : busy,
  );
  const start = Date.parse('2026-11-20T12:00:00Z');
  let minutes = 0;
  const read = createFeedReader({
    fetch: createGuardedFetch({ deadlineMs: 30_000, maxBytes: 1_000 }),
    storage: { version: async () => ({}) },
    now: () => new Date(start + minutes * 60_000),
    retryMs: 1,
  });
  const template = `${upstream.url}/search?q={origin}`;
  const requestsAt = async (at: number) => {
    minutes = at;
    await t.throwsAsync(read({ url: `${upstream.url}/feed` }, PARSER));
    await t.throwsAsync(read({ url: `${upstream.url}/search?q=${at}`, template }, PARSER));
    // Other feeds continue.
    await t.notThrowsAsync(read({ url: `${upstream.url}/well` }, PARSER));
    return ['/feed', '/search'].map(
      (path) => upstream.requests.filter((one) => one.startsWith(path)).length,
    );
  };
  t.deepEqual(await requestsAt(0), [1, 1]);
  t.deepEqual(await requestsAt(9), [1, 1]);
  t.deepEqual(await requestsAt(10), [1, 2]);
  t.deepEqual(await requestsAt(119), [1, 3]);
  t.deepEqual(await requestsAt(120), [2, 3]);
});

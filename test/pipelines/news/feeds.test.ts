import test from 'ava';
import { BUILT_IN_FEEDS, readFeeds, routeAddress } from '../../../pipelines/news/feeds.ts';

const words = { origin: 'JFK', dest: 'LAX', origin_city: 'New York', dest_city: 'Los Angeles' };

test('a list of addresses is split into general feeds and route templates', (t) => {
  const text = `# our feeds
https://a.example/rss https://b.example/rss?x=1,2   # two on a line

https://c.example/search?q={origin}-{dest}`;
  t.deepEqual(readFeeds(text), {
    general: ['https://a.example/rss', 'https://b.example/rss?x=1,2'],
    perRoute: ['https://c.example/search?q={origin}-{dest}'],
  });
});

test('an address other than http(s) is refused, and the message does not repeat its keys', (t) => {
  t.throws(() => readFeeds('ftp://me:secret@a.example/rss?key=secret'), {
    message: 'NEWS_FEEDS: ftp://a.example/rss is not http(s)',
  });
});

test('values in an address are escaped', (t) => {
  t.is(
    routeAddress('https://c.example/?q={origin_city}+{dest}', { ...words, origin_city: 'A&b=#c' }),
    'https://c.example/?q=A%26b%3D%23c+LAX',
  );
});

test('the built-in addresses are valid', (t) => {
  t.is(BUILT_IN_FEEDS.general.length, 7);
  t.true(BUILT_IN_FEEDS.general.every((address) => URL.canParse(address)));
  t.regex(routeAddress(BUILT_IN_FEEDS.perRoute[0] ?? '', words), /New%20York.*Los%20Angeles/);
});

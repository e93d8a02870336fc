import { once } from 'node:events';
import test from 'ava';
import { Redis } from 'ioredis';
import { createNews } from '../../../jobs/wiring/news-steps.ts';
import { NEWS_CHANNEL } from '../../../warehouse/live/news.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const server = await borrowRedis((stop) => test.after.always(stop));

test('a list of feeds that cannot be read fails with its name, and nobody waits for the route', async (t) => {
  const [redis, subscriber] = [new Redis(server.url), new Redis(server.url)];
  t.teardown(() => [redis, subscriber].forEach((one) => one.disconnect()));
  await subscriber.subscribe(NEWS_CHANNEL);
  const told = once(subscriber, 'message');
  const { refreshRouteNews } = createNews({ newsFeeds: '/nowhere/feeds', offline: false }, redis);
  await t.throwsAsync(refreshRouteNews('JFK-LAX'), {
    message: 'NEWS_FEEDS: the file /nowhere/feeds cannot be read',
  });
  t.deepEqual(await told, [NEWS_CHANNEL, 'JFK-LAX']);
});

test('an address that is none is not taken for a file, whose name an error would repeat', async (t) => {
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const newsFeeds = 'htps://a.example/rss?key=secret';
  const { refreshNews } = createNews({ newsFeeds, offline: false }, redis);
  await t.throwsAsync(
    refreshNews(() => undefined),
    { message: 'NEWS_FEEDS: htps://a.example/rss is not http(s)' },
  );
});

import { once } from 'node:events';
import test from 'ava';
import { Redis } from 'ioredis';
import { createNews } from '../../../jobs/wiring/news-steps.ts';
import { NEWS_CHANNEL } from '../../../warehouse/live/news.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const server = await borrowRedis((stop) => test.after.always(stop));

test('an unreadable file of feeds is an error with its name, and callers waiting for the route are answered', async (t) => {
  const [redis, subscriber] = [new Redis(server.url), new Redis(server.url)];
  t.teardown(() => [redis, subscriber].forEach((client) => client.disconnect()));
  await subscriber.subscribe(NEWS_CHANNEL);
  const announcement = once(subscriber, 'message');
  const { refreshRouteNews } = createNews({ newsFeeds: '/nowhere/feeds', offline: false }, redis);
  await t.throwsAsync(refreshRouteNews('JFK-LAX'), {
    message: 'NEWS_FEEDS: the file /nowhere/feeds cannot be read',
  });
  t.deepEqual(await announcement, [NEWS_CHANNEL, 'JFK-LAX']);
});

test('an invalid address is not read as a file, because the error would show the key in the address', async (t) => {
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const newsFeeds = 'htps://a.example/rss?key=secret';
  const { refreshNews } = createNews({ newsFeeds, offline: false }, redis);
  await t.throwsAsync(
    refreshNews(() => undefined),
    { message: 'NEWS_FEEDS: htps://a.example/rss is not http(s)' },
  );
});

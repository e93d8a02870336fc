import test from 'ava';
import { Redis } from 'ioredis';
import { createNewsStorage } from '../../../jobs/wiring/news-storage.ts';
import { NEWS_CHANNEL, NEWS_ITEMS_KEY, NEWS_ROUTES_KEY } from '../../../warehouse/live/news.ts';
import { aNewsItem } from '../../helpers/news-items.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';

const server = await borrowRedis((stop) => test.after.always(stop));

const connect = () => new Redis(server.url);

test.serial('items are read back unchanged, and unreadable items count as no items', async (t) => {
  const redis = connect();
  t.teardown(() => redis.disconnect());
  const storage = createNewsStorage(redis);
  t.deepEqual(await storage.items(), []);
  await storage.changeItems(() => [aNewsItem()]);
  t.deepEqual(await storage.items(), [aNewsItem()]);
  for (const broken of [
    '{',
    '{}',
    '[{"id":1}]',
    JSON.stringify([{ ...aNewsItem(), severity: 7 }]),
  ]) {
    await redis.set(NEWS_ITEMS_KEY, broken);
    t.deepEqual(await storage.items(), []);
  }
});

test.serial('two workers that add items at the same time lose no item', async (t) => {
  const [firstRedis, secondRedis] = [connect(), connect()];
  t.teardown(() => [firstRedis, secondRedis].forEach((redis) => redis.disconnect()));
  await firstRedis.del(NEWS_ITEMS_KEY);
  const add = (redis: Redis, id: string) =>
    createNewsStorage(redis).changeItems((items) => [...items, aNewsItem({ id })]);
  await Promise.all(
    Array.from({ length: 6 }, (_, n) => add(n % 2 ? firstRedis : secondRedis, `item ${n}`)),
  );
  const ids = (await createNewsStorage(firstRedis).items()).map(({ id }) => id).toSorted();
  t.deepEqual(ids, ['item 0', 'item 1', 'item 2', 'item 3', 'item 4', 'item 5']);
});

test.serial('a fetch is recorded and announced; a failed fetch is only announced', async (t) => {
  const [redis, listener] = [connect(), connect()];
  t.teardown(() => [redis, listener].forEach((client) => client.disconnect()));
  const announcedRoutes: string[] = [];
  await listener.subscribe(NEWS_CHANNEL);
  listener.on('message', (_, route: string) => announcedRoutes.push(route));
  const storage = createNewsStorage(redis);
  await storage.noteFailed('LAX-JFK');
  await storage.noteFetched('JFK-LAX', new Date('2026-11-20T12:00:00Z'));
  t.deepEqual(await redis.hgetall(NEWS_ROUTES_KEY), { 'JFK-LAX': '2026-11-20T12:00:00.000Z' });
  await redis.publish(NEWS_CHANNEL, 'end');
  await until('all messages arrived', () => announcedRoutes.includes('end'));
  t.deepEqual(announcedRoutes, ['LAX-JFK', 'JFK-LAX', 'end']);
});

test.serial('without items, the version of a feed is not used', async (t) => {
  const redis = connect();
  t.teardown(() => redis.disconnect());
  const storage = createNewsStorage(redis);
  await storage.changeItems(() => [aNewsItem()]);
  await storage.saveVersion('https://a.example', { etag: '"1"' });
  t.deepEqual(await storage.version('https://a.example'), { etag: '"1"' });
  await redis.del(NEWS_ITEMS_KEY);
  t.deepEqual(await storage.version('https://a.example'), {});
});

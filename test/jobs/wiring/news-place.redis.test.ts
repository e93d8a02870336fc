import test from 'ava';
import { Redis } from 'ioredis';
import { createNewsPlace } from '../../../jobs/wiring/news-place.ts';
import { NEWS_CHANNEL, NEWS_ITEMS_KEY, NEWS_ROUTES_KEY } from '../../../warehouse/live/news.ts';
import { aNewsItem } from '../../helpers/news-items.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const server = await borrowRedis((stop) => test.after.always(stop));

const connect = () => new Redis(server.url);

test.serial('items come back as they were kept, and what cannot be read is none', async (t) => {
  const redis = connect();
  t.teardown(() => redis.disconnect());
  const place = createNewsPlace(redis);
  t.deepEqual(await place.items(), []);
  await place.changeItems(() => [aNewsItem()]);
  t.deepEqual(await place.items(), [aNewsItem()]);
  for (const broken of [
    '{',
    '{}',
    '[{"id":1}]',
    JSON.stringify([{ ...aNewsItem(), severity: 7 }]),
  ]) {
    await redis.set(NEWS_ITEMS_KEY, broken);
    t.deepEqual(await place.items(), []);
  }
});

test.serial('two workers that add at the same time lose nothing', async (t) => {
  const [one, two] = [connect(), connect()];
  t.teardown(() => [one, two].forEach((redis) => redis.disconnect()));
  await one.del(NEWS_ITEMS_KEY);
  const add = (redis: Redis, id: string) =>
    createNewsPlace(redis).changeItems((known) => [...known, aNewsItem({ id })]);
  await Promise.all(Array.from({ length: 6 }, (_, n) => add(n % 2 ? one : two, `item ${n}`)));
  const ids = (await createNewsPlace(one).items()).map(({ id }) => id).toSorted();
  t.deepEqual(ids, ['item 0', 'item 1', 'item 2', 'item 3', 'item 4', 'item 5']);
});

test.serial('a fetch is noted and told, a failed one only told', async (t) => {
  const [redis, listener] = [connect(), connect()];
  t.teardown(() => [redis, listener].forEach((one) => one.disconnect()));
  const told: string[] = [];
  await listener.subscribe(NEWS_CHANNEL);
  listener.on('message', (_, route: string) => told.push(route));
  const place = createNewsPlace(redis);
  await place.noteFailed('LAX-JFK');
  await place.noteFetched('JFK-LAX', new Date('2026-11-20T12:00:00Z'));
  t.deepEqual(await redis.hgetall(NEWS_ROUTES_KEY), { 'JFK-LAX': '2026-11-20T12:00:00.000Z' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.deepEqual(told, ['LAX-JFK', 'JFK-LAX']);
});

test.serial('the version of a feed is forgotten with the items', async (t) => {
  const redis = connect();
  t.teardown(() => redis.disconnect());
  const place = createNewsPlace(redis);
  await place.changeItems(() => [aNewsItem()]);
  await place.keepVersion('https://a.example', { etag: '"1"' });
  t.deepEqual(await place.version('https://a.example'), { etag: '"1"' });
  await redis.del(NEWS_ITEMS_KEY);
  t.deepEqual(await place.version('https://a.example'), {});
});

import test from 'ava';
import { Redis } from 'ioredis';
import { readNextRefresh, saveNextRefresh } from '../../../warehouse/live/next-refresh.ts';
import { borrowRedis } from '../../helpers/redis.ts';

test('the next refresh is the earliest run of a schedule that changes answers', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  t.is(await readNextRefresh(redis), undefined);
  await saveNextRefresh(redis, [
    { id: 'archive-keys', next: '2026-03-10T14:05:00.000Z' },
    { id: 'weather', next: '2026-03-10T15:10:00.000Z' },
    { id: 'news', next: '2026-03-10T14:30:00.000Z' },
    { id: 'nas' },
  ]);
  t.deepEqual(await readNextRefresh(redis), new Date('2026-03-10T14:30:00.000Z'));
  const [key = ''] = await redis.keys('*');
  t.true((await redis.ttl(key)) > 0, 'without workers the time is unknown again');
});

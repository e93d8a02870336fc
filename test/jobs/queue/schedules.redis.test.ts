import test from 'ava';
import { Redis } from 'ioredis';
import { DEFAULT_TIMES } from '../../../jobs/queue/schedule-times.ts';
import { keepSchedules, schedulesOf, type Schedule } from '../../../jobs/queue/schedules.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';

const SCHEDULES = schedulesOf(DEFAULT_TIMES);

const nightlyAt = (pattern: string): Schedule => ({
  id: 'nightly',
  queue: 'warehouse',
  job: 'nightly',
  pattern,
  everyS: 86_400,
  what: '',
});

test('workers that start many times, even together, leave each schedule once, with one next run', async (t) => {
  const { queues } = await queueWorld(t);
  await Promise.all([1, 2, 3].map(() => keepSchedules(queues, SCHEDULES)));
  await keepSchedules(queues, SCHEDULES);
  const ofWarehouse = SCHEDULES.filter(({ queue }) => queue === 'warehouse');
  const kept = await queues.queue('warehouse').getJobSchedulers();
  t.deepEqual(
    kept.map(({ key, name, pattern, tz }) => `${key} ${name} ${pattern} ${tz}`).toSorted(),
    ofWarehouse.map(({ id, job, pattern }) => `${id} ${job} ${pattern} UTC`).toSorted(),
  );
  t.is(await queues.queue('warehouse').getDelayedCount(), ofWarehouse.length);
});

for (const [id, next] of [
  ['nightly', /T02:30:00\.000Z$/],
  ['usage-rollover', /-01T00:05:00\.000Z$/],
  ['archive-keys', /:\d[05]:00\.000Z$/],
] as const) {
  test(`${id} comes at its time, in UTC`, async (t) => {
    const { queues } = await queueWorld(t);
    await keepSchedules(queues, SCHEDULES);
    const kept = await queues.queue('warehouse').getJobScheduler(id);
    t.regex(new Date(kept?.next ?? 0).toISOString(), next);
  });
}
test('weather comes every three hours, without second tries of its own', async (t) => {
  const { queues } = await queueWorld(t);
  await keepSchedules(queues, SCHEDULES);
  const weather = await queues.queue('live').getJobScheduler('weather');
  t.like(weather, { name: 'refresh-weather', pattern: '10 */3 * * *', tz: 'UTC' });
  t.is((await queues.queue('live').getDelayed())[0]?.opts.attempts, 1);
});

test('a changed pattern replaces the old one, with its next run', async (t) => {
  const { queues } = await queueWorld(t);
  await keepSchedules(queues, [nightlyAt('30 2 * * *')]);
  await keepSchedules(queues, [nightlyAt('45 3 * * *')]);
  const [nightly, ...others] = await queues.queue('warehouse').getJobSchedulers();
  t.deepEqual(others, []);
  t.regex(new Date(nightly?.next ?? 0).toISOString(), /T03:45:00\.000Z$/);
  t.is(await queues.queue('warehouse').getDelayedCount(), 1);
});

test('a run that no worker was there for is made up by the next one', async (t) => {
  const { queues } = await queueWorld(t);
  const everySecond = [nightlyAt('* * * * * *')];
  await keepSchedules(queues, everySecond);
  const missed = (await queues.queue('warehouse').getJobScheduler('nightly'))?.next;
  await until('it is missed', () => Date.now() > (missed ?? Infinity));
  await keepSchedules(queues, everySecond);
  t.is((await queues.queue('warehouse').getJobScheduler('nightly'))?.next, missed);
});

test('a schedule whose next run was removed is begun anew', async (t) => {
  const { queues, redis } = await queueWorld(t);
  await keepSchedules(queues, SCHEDULES);
  const before = (await queues.queue('warehouse').getJobScheduler('nightly'))?.next;
  const client = new Redis(redis.url);
  t.teardown(() => client.disconnect());
  await client.del(`bull:warehouse:repeat:nightly:${before}`);
  await keepSchedules(queues, SCHEDULES);
  const next = (await queues.queue('warehouse').getJobScheduler('nightly'))?.next;
  t.truthy(await queues.queue('warehouse').getJob(`repeat:nightly:${next}`));
});

test('news come every half hour', async (t) => {
  const { queues } = await queueWorld(t);
  await keepSchedules(queues, SCHEDULES);
  const news = await queues.queue('live').getJobScheduler('news');
  t.like(news, { name: 'refresh-news', pattern: '*/30 * * * *', tz: 'UTC' });
});

test('times and time zone are settings, and what is off does not come', async (t) => {
  const { queues } = await queueWorld(t);
  await keepSchedules(queues, SCHEDULES);
  const times = {
    ...DEFAULT_TIMES,
    nightly: '15 4 * * 1-5',
    months: 'off',
    timeZone: 'Asia/Tokyo',
  };
  await keepSchedules(queues, schedulesOf(times));
  const nightly = await queues.queue('warehouse').getJobScheduler('nightly');
  t.like(nightly, { pattern: '15 4 * * 1-5', tz: 'Asia/Tokyo' });
  t.regex(new Date(nightly?.next ?? 0).toISOString(), /T19:15:00\.000Z$/);
  t.deepEqual(await queues.queue('extract').getJobSchedulers(), []);
});

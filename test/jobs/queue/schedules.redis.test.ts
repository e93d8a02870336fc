import test from 'ava';
import { Redis } from 'ioredis';
import { DEFAULT_TIMES } from '../../../jobs/queue/schedule-times.ts';
import { registerSchedules, schedulesOf, type Schedule } from '../../../jobs/queue/schedules.ts';
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

test('each schedule is registered once, with one next run, even if workers start many times', async (t) => {
  const { queues } = await queueWorld(t);
  await Promise.all([1, 2, 3].map(() => registerSchedules(queues, SCHEDULES)));
  await registerSchedules(queues, SCHEDULES);
  const warehouseSchedules = SCHEDULES.filter(
    ({ queue, pattern }) => queue === 'warehouse' && pattern !== 'off',
  );
  const registered = await queues.queue('warehouse').getJobSchedulers();
  t.deepEqual(
    registered.map(({ key, name, pattern, tz }) => `${key} ${name} ${pattern} ${tz}`).toSorted(),
    warehouseSchedules.map(({ id, job, pattern }) => `${id} ${job} ${pattern} UTC`).toSorted(),
  );
  t.is(await queues.queue('warehouse').getDelayedCount(), warehouseSchedules.length);
});

for (const [id, next] of [
  ['nightly', /T02:30:00\.000Z$/],
  ['usage-rollover', /-01T00:05:00\.000Z$/],
  ['archive-keys', /:\d[05]:00\.000Z$/],
] as const) {
  test(`${id} runs at its time in UTC`, async (t) => {
    const { queues } = await queueWorld(t);
    await registerSchedules(queues, SCHEDULES);
    const registered = await queues.queue('warehouse').getJobScheduler(id);
    t.regex(new Date(registered?.next ?? 0).toISOString(), next);
  });
}
test('weather is refreshed every three hours, without retries', async (t) => {
  const { queues } = await queueWorld(t);
  await registerSchedules(queues, SCHEDULES);
  const weather = await queues.queue('live').getJobScheduler('weather');
  t.like(weather, { name: 'refresh-weather', pattern: '10 */3 * * *', tz: 'UTC' });
  t.is((await queues.queue('live').getDelayed())[0]?.opts.attempts, 1);
});

test('a changed pattern replaces the old one, with its next run', async (t) => {
  const { queues } = await queueWorld(t);
  await registerSchedules(queues, [nightlyAt('30 2 * * *')]);
  await registerSchedules(queues, [nightlyAt('45 3 * * *')]);
  const [nightly, ...otherSchedules] = await queues.queue('warehouse').getJobSchedulers();
  t.deepEqual(otherSchedules, []);
  t.regex(new Date(nightly?.next ?? 0).toISOString(), /T03:45:00\.000Z$/);
  t.is(await queues.queue('warehouse').getDelayedCount(), 1);
});

test('a run that was missed while no worker ran stays the next run', async (t) => {
  const { queues } = await queueWorld(t);
  const everySecond = [nightlyAt('* * * * * *')];
  await registerSchedules(queues, everySecond);
  const missedRun = (await queues.queue('warehouse').getJobScheduler('nightly'))?.next;
  await until('the run is missed', () => Date.now() > (missedRun ?? Infinity));
  await registerSchedules(queues, everySecond);
  t.is((await queues.queue('warehouse').getJobScheduler('nightly'))?.next, missedRun);
});

test('a schedule whose next run was removed is registered again', async (t) => {
  const { queues, redis } = await queueWorld(t);
  await registerSchedules(queues, SCHEDULES);
  const before = (await queues.queue('warehouse').getJobScheduler('nightly'))?.next;
  const client = new Redis(redis.url);
  t.teardown(() => client.disconnect());
  await client.del(`bull:warehouse:repeat:nightly:${before}`);
  await registerSchedules(queues, SCHEDULES);
  const next = (await queues.queue('warehouse').getJobScheduler('nightly'))?.next;
  t.truthy(await queues.queue('warehouse').getJob(`repeat:nightly:${next}`));
});

test('news is refreshed every half hour', async (t) => {
  const { queues } = await queueWorld(t);
  await registerSchedules(queues, SCHEDULES);
  const news = await queues.queue('live').getJobScheduler('news');
  t.like(news, { name: 'refresh-news', pattern: '*/30 * * * *', tz: 'UTC' });
});

test('times and time zone are settings, and a schedule that is off is removed', async (t) => {
  const { queues } = await queueWorld(t);
  await registerSchedules(queues, SCHEDULES);
  const times = {
    ...DEFAULT_TIMES,
    nightly: '15 4 * * 1-5',
    months: 'off',
    timeZone: 'Asia/Tokyo',
  };
  await registerSchedules(queues, schedulesOf(times));
  const nightly = await queues.queue('warehouse').getJobScheduler('nightly');
  t.like(nightly, { pattern: '15 4 * * 1-5', tz: 'Asia/Tokyo' });
  t.regex(new Date(nightly?.next ?? 0).toISOString(), /T19:15:00\.000Z$/);
  t.deepEqual(await queues.queue('extract').getJobSchedulers(), []);
});

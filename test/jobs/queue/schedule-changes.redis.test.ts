import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { openOperations, readSchedules } from '../../../jobs/queue/operations.ts';
import { changeSchedule, ScheduleRefusedError } from '../../../jobs/queue/schedule-changes.ts';
import { DEFAULT_TIMES } from '../../../jobs/queue/schedule-times.ts';
import { schedulesOf } from '../../../jobs/queue/schedules.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';
import { until } from '../helpers/command.ts';
import { IDLE_KEYRING, queueWorld } from '../helpers/queue-world.ts';

const SERVICE = schedulesOf({ ...DEFAULT_TIMES, news: '7 * * * *' });
const COMMAND = schedulesOf({ ...DEFAULT_TIMES, news: '*/5 * * * *' });

/** Opens queues with a service whose settings are SERVICE. */
async function serviceWorld(t: ExecutionContext) {
  const world = await queueWorld(t);
  const redis = new Redis(world.redis.url);
  t.teardown(() => redis.disconnect());
  const startService = () =>
    world.work({}, IDLE_KEYRING, { schedules: SERVICE, isService: true, redis });
  await startService();
  const deps = {
    queues: world.queues,
    redis,
    schedules: COMMAND,
    now: () => new Date('2026-11-01T00:00:00Z'),
  };
  const news = () => world.queues.queue('live').getJobScheduler('news');
  return { ...world, redis, startService, deps, news };
}

test('a worker that a command started leaves the schedules of the service unchanged', async (t) => {
  const { work, redis, news, deps } = await serviceWorld(t);
  await work({}, IDLE_KEYRING, { schedules: COMMAND, isService: false, redis });
  t.is((await news())?.pattern, '7 * * * *');
  const shown = await changeSchedule({ id: 'news', change: 'pause' }, 'ann', deps);
  t.is(shown.setting, '7 * * * *');
});

test('a paused schedule stays paused when the service starts again, until it is resumed', async (t) => {
  const { startService, news, deps } = await serviceWorld(t);
  await changeSchedule({ id: 'news', change: 'pause' }, 'ann', deps);
  t.is(await news(), undefined);
  await startService();
  t.is(await news(), undefined);
  const resumed = await changeSchedule({ id: 'news', change: 'resume' }, 'ann', deps);
  t.like(resumed, { pattern: '7 * * * *', isPaused: false, everyS: 3_600 });
  t.is((await news())?.pattern, '7 * * * *');
});

test('new times hold until a reset returns to the settings', async (t) => {
  const { startService, news, deps } = await serviceWorld(t);
  const change = { id: 'news', change: 'pattern', pattern: '20 4 * * *' } as const;
  const changed = await changeSchedule(change, 'ann', deps);
  t.deepEqual(changed.changed, { by: 'ann', at: '2026-11-01T00:00:00.000Z' });
  await startService();
  t.is((await news())?.pattern, '20 4 * * *');
  const { changed: none } = await changeSchedule({ id: 'news', change: 'reset' }, 'ann', deps);
  t.is(none, undefined);
  t.is((await news())?.pattern, '7 * * * *');
});

test('schedules of keys and unknown schedules cannot be changed', async (t) => {
  const { deps } = await serviceWorld(t);
  for (const id of ['archive-keys', 'usage-rollover', 'lunch']) {
    await t.throwsAsync(changeSchedule({ id, change: 'pause' }, 'ann', deps), {
      instanceOf: ScheduleRefusedError,
    });
  }
});

test('a change at /ops is made by a worker, recorded with its author, and shown', async (t) => {
  const { redis: server, queues, work } = await queueWorld(t);
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const runs: Run[] = [];
  const source = { kind: 'url', base: 'http://bts.test' } as const;
  await work({}, IDLE_KEYRING, {
    ...{ schedules: SERVICE, isService: true, redis },
    monthSources: { flights: source, weather: source, lockFile: 'none' },
    ledger: {
      record: async (run) => void runs.push(run),
      codeVersion: 'test',
      now: () => new Date(),
      randomLetters: () => 'abc',
    },
  });
  const operations = openOperations(server.url, COMMAND);
  t.teardown(operations.close);
  const pattern = '20 4 * * *';
  await operations.enqueue({ kind: 'schedule', id: 'news', change: 'pattern', pattern }, 'key1');
  await until('the record', () => runs.length > 0);
  t.is(runs[0]?.inputs[0]?.name, 'schedule news: pattern 20 4 * * *, requested by key1');
  t.is((await queues.queue('live').getJobScheduler('news'))?.pattern, pattern);
  const news = (await operations.readState()).schedules.find(({ id }) => id === 'news');
  t.like(news, { pattern, tz: 'UTC', setting: '7 * * * *', isPaused: false });
  t.is(news?.changed?.by, 'key1');
});

test('the end of each run is recorded with its text or its error', async (t) => {
  const { redis, work, queues, deps } = await serviceWorld(t);
  const refreshNas = () => Promise.reject(new Error('the FAA does not answer'));
  await work({ refreshNas }, IDLE_KEYRING, { schedules: SERVICE, redis });
  const readNas = async () =>
    (await readSchedules(deps.queues, redis, SERVICE)).find(({ id }) => id === 'nas')?.last;
  await queues.queue('live').add('refresh-nas', {});
  await until('the run ends', async () => (await readNas()) !== undefined);
  t.like(await readNas(), { isOk: false });
});

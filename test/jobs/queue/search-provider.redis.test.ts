import test from 'ava';
import { readConfig } from '../../../jobs/config.ts';
import { registerSchedules, schedulesOf } from '../../../jobs/queue/schedules.ts';
import { signalsOfFailed } from '../../../jobs/watch/incidents-of-jobs.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { aReport } from '../helpers/fake-steps.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { until } from '../helpers/command.ts';

const REF = { queue: 'extract', id: 'a-search' } as const;

test('each provider has a schedule of its own, which is off until it has a time', async (t) => {
  const { queues } = await queueWorld(t);
  const schedulers = async (env: Record<string, string>) => {
    await registerSchedules(queues, schedulesOf(readConfig(env).schedule));
    const all = await queues.queue('extract').getJobSchedulers();
    return all.map(({ name, pattern }) => `${name} ${pattern}`).toSorted();
  };
  const months = 'look-for-months 10 1 * * *';
  t.deepEqual(await schedulers({}), [months]);
  const env = { SCHEDULE_HKIA: '40 0 * * *', SCHEDULE_CAA: '20 0 * * 1' };
  t.deepEqual(await schedulers(env), [months, 'search-caa 20 0 * * 1', 'search-hkia 40 0 * * *']);
  t.throws(() => readConfig({ SCHEDULE_CAA: 'weekly', HKIA_BASE_URL: 'hk' }), {
    message:
      /SCHEDULE_CAA "weekly" is neither a cron expression nor off|HKIA_BASE_URL is not a plain/,
  });
});

test('the files that a search finds are loaded like those of an operator', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const calls: string[] = [];
  await work({
    searchProvider: async (provider) => {
      calls.push(`search ${provider}`);
      return { summary: 'new: 2026-01', files: [{ period: '2026-01', path: '/a', sha256: 'abc' }] };
    },
    extractFile: async ({ path }) => {
      calls.push(`extract ${path}`);
      return aReport('a', ['2026-01']);
    },
    loadMonths: async (months) => {
      calls.push(`load ${months.join()}`);
      return { flights: 1, months: [] };
    },
  });
  await queues.queue(REF.queue).add('search-hkia', {}, { jobId: REF.id });
  t.like(await follow(REF), { summary: 'new: 2026-01' });
  await until('the month is loaded', async () => calls.length === 3);
  t.deepEqual(calls, ['search hkia', 'extract /a', 'load 2026-01']);
});

test('a search that finds another layout fails at once, with a notice in its own words', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const error = new SourceFormatError('hkia', 'the layout of the answer has changed: []');
  await work({
    searchProvider: async () => {
      throw error;
    },
  });
  await queues.queue(REF.queue).add('search-hkia', {}, { jobId: REF.id, attempts: 5 });
  await t.throwsAsync(follow(REF), { message: /the layout of the answer has changed: \[\]/ });
  const job = await queues.queue(REF.queue).getJob(REF.id);
  t.is(job?.attemptsMade, 1);
  t.deepEqual(signalsOfFailed({ name: 'search-hkia', data: {} }, error), [
    {
      key: 'job search-hkia',
      kind: 'job.failed',
      isResolved: false,
      text: 'search-hkia failed: hkia: the layout of the answer has changed: []',
    },
  ]);
});

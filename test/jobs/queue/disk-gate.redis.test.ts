import test from 'ava';
import { readQueueStatus } from '../../../jobs/cli/status/queues.ts';
import { follow as followWith } from '../../../jobs/cli/follow.ts';
import { findDiskEmergency, findDiskShortage } from '../../../jobs/processes/disk-space.ts';
import type { JobProgress } from '../../../jobs/queue/queues.ts';
import { requestStep } from '../../../jobs/queue/requests.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';

const noEmergency = async () => undefined;
const noShortage = async () => undefined;

test('while disk space is short, a job waits without using up attempts', async (t) => {
  const { queues, work } = await queueWorld(t);
  let checks = 0;
  const findShortage = async () => {
    checks += 1;
    return findDiskShortage('/', Number.MAX_SAFE_INTEGER);
  };
  await work({}, undefined, { disk: { findShortage, findEmergency: noEmergency } });
  const { queue, id } = await requestStep(queues, 'publish');
  await until(
    'the job waits',
    async () => (await queues.queue(queue).getJobState(id)) === 'delayed',
  );
  const job = await queues.queue(queue).getJob(id);
  t.is(job?.attemptsMade, 0);
  const progress = job?.progress as JobProgress | undefined;
  t.true(progress?.isShortOfDisk);
  t.regex(
    progress?.what ?? '',
    /^waiting: \d+ MB free, \d+ MB required \(MIN_FREE_MB\) on the disk of \/$/,
  );
  t.is(checks, 1);
  const { shortOfDisk } = await readQueueStatus(queues, queue, new Date());
  t.deepEqual(shortOfDisk, [{ job: id, why: progress?.what }]);
});

test('a scheduled backup waits for disk space, and other live jobs do not', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const findShortage = async () => 'too little space';
  const refreshNas = async () => ({}) as never;
  await work({ refreshNas }, undefined, { disk: { findShortage, findEmergency: noEmergency } });
  const live = queues.queue('live');
  const backup = await live.add('backup', {}, { jobId: 'backup-1' });
  await until('the backup waits', async () => (await backup.getState()) === 'delayed');
  await live.add('refresh-nas', {}, { jobId: 'nas-1' });
  await t.notThrowsAsync(follow({ queue: 'live', id: 'nas-1' }));
});

test('a job that starts after a shortage no longer counts as short of disk space', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const shortages = ['too little space'];
  const findShortage = async () => shortages.pop();
  let seen: unknown;
  const rebuildWarehouse = async () => {
    seen = (await queues.queue('warehouse').getJob('rebuild'))?.progress;
    return undefined as never;
  };
  await work({ rebuildWarehouse }, undefined, {
    disk: { findShortage, findEmergency: noEmergency },
  });
  const ref = await requestStep(queues, 'rebuild');
  const isDelayed = async () => (await queues.queue(ref.queue).getJobState(ref.id)) === 'delayed';
  await until('the job waits', isDelayed);
  await (await queues.queue(ref.queue).getJob(ref.id))?.promote();
  await follow(ref);
  t.deepEqual(seen, { done: 0, total: 1, what: 'started' });
});

test('a command that follows a job without disk space ends with the reason, and the job stays', async (t) => {
  const { queues, work } = await queueWorld(t);
  const findShortage = async () => findDiskShortage('/', 0, 1e15);
  await work({}, undefined, { disk: { findShortage, findEmergency: noEmergency } });
  const line = { show: () => undefined, note: () => undefined, end: () => undefined };
  const signal = AbortSignal.timeout(60_000);
  const ref = await requestStep(queues, 'rebuild');
  await t.throwsAsync(followWith(ref, { queues, line, signal, diskPatienceMs: 0 }), {
    name: 'CommandError',
    message:
      /the job needs about 1000000000 MB, and \d+ MB are free.*make free-space.*The job rebuild stays/,
  });
  await until(
    'the job waits',
    async () => (await queues.queue(ref.queue).getJobState(ref.id)) === 'delayed',
  );
});

test('a query that uses up the disk is interrupted, and its job fails without a retry', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  let runs = 0;
  const rebuildWarehouse = async () => {
    runs += 1;
    const db = await openDatabase();
    try {
      // Without an interruption, this query would run for days.
      await db.rows(
        'select max(hash(a, b)) from range(10_000_000) as x(a), range(10_000_000) as y(b)',
      );
      throw new Error('the query ended by itself');
    } finally {
      db.close();
    }
  };
  const findEmergency = async () => (runs > 0 ? 'only 3 MB are left' : undefined);
  await work({ rebuildWarehouse }, undefined, {
    disk: { findShortage: noShortage, findEmergency },
  });
  await t.throwsAsync(follow(await requestStep(queues, 'rebuild')), {
    message: /^the disk is full: only 3 MB are left\. To delete files .* run make free-space$/,
  });
  t.is(runs, 1);
});

test('a full disk fails the job without a retry, and other errors are retried', async (t) => {
  const { queues, work, follow, notes } = await queueWorld(t);
  const errors = [new Error('IO Error: x: No space left on device'), new Error('something else')];
  const publishStore = async () => {
    const error = errors.pop();
    if (error) throw error;
    throw new Error('a third run');
  };
  await work({ publishStore }, undefined, {
    disk: { findShortage: noShortage, findEmergency: noEmergency },
  });
  await t.throwsAsync(follow(await requestStep(queues, 'publish')), {
    message: /^the disk is full: IO Error: x: No space left on device\./,
  });
  t.deepEqual(notes, ['publish: attempt 1 failed, retrying: something else']);
});

test('a job goes on while the disk has space', async (t) => {
  t.is(await findDiskEmergency('/'), undefined);
  t.is(await findDiskEmergency('/does-not-exist'), undefined);
});

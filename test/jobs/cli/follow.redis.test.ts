import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { findJob } from '../../../jobs/queue/queues.ts';
import { requestStep } from '../../../jobs/queue/requests.ts';
import { SourceFormatError } from '../../../pipelines/errors.ts';
import { startRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';

const A_BUILD = { rows: { route_stats: 12 }, checks: [] };

test('a job that ended before anyone listened is seen', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  const ref = await requestStep(queues, 'build-features');
  await work({ buildFeatures: async () => A_BUILD });
  await until(
    'the job is done',
    async () => (await findJob(queues, ref))?.finishedOn !== undefined,
  );
  t.deepEqual(await follow(ref), A_BUILD);
});

test('a failed job is an error with its reason', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  await work({
    buildFeatures: async () => {
      throw new SourceFormatError('month 2018-01', 'no rows');
    },
  });
  const ref = await requestStep(queues, 'build-features');
  await t.throwsAsync(follow(ref), {
    name: 'JobFailedError',
    message: 'month 2018-01: no rows',
  });
});

test('an outage is tried again, and each failed attempt is told', async (t) => {
  const { queues, follow, work, notes } = await queueWorld(t);
  let attempts = 0;
  await work({
    buildFeatures: async () => {
      attempts += 1;
      if (attempts < 2) throw new Error('disk away');
      return A_BUILD;
    },
  });
  t.deepEqual(await follow(await requestStep(queues, 'build-features')), A_BUILD);
  t.deepEqual(notes, ['build-features: attempt 1 failed, trying again: disk away']);
});

test('a job that failed for good between two looks is not said to be tried again', async (t) => {
  const { queues, follow, work, notes } = await queueWorld(t);
  await work({
    buildFeatures: async () => {
      throw new SourceFormatError('month 2018-01', 'no rows');
    },
  });
  const ref = await requestStep(queues, 'build-features');
  await until(
    'the job has failed',
    async () => (await findJob(queues, ref))?.finishedOn !== undefined,
  );
  const queue = queues.queue('warehouse');
  const stateNow = queue.getJobState.bind(queue);
  let looks = 0;
  queue.getJobState = async (id) => ((looks += 1) === 1 ? 'active' : stateNow(id));
  await t.throwsAsync(follow(ref), { name: 'JobFailedError' });
  t.true(looks > 1);
  t.deepEqual(notes, []);
});

test('a job that is removed ends the wait', async (t) => {
  const { queues, follow } = await queueWorld(t);
  const ref = await requestStep(queues, 'build-features');
  const following = follow(ref);
  await sleep(50);
  await queues.queue('warehouse').remove(ref.id);
  await t.throwsAsync(following, { message: 'the job was removed from the queue' });
});

test('who stops following leaves the job in the queue', async (t) => {
  const { queues, follow } = await queueWorld(t);
  const ref = await requestStep(queues, 'build-features');
  const abort = new AbortController();
  const following = follow(ref, abort.signal);
  abort.abort(new Error('enough'));
  await t.throwsAsync(following, { message: 'enough' });
  t.is(await queues.queue('warehouse').count(), 1);
});

test('a Redis that is killed and comes back costs the follower nothing', async (t) => {
  const redis = await startRedis((stop) => t.teardown(stop));
  const { queues, follow, work } = await queueWorld(t, redis);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await work({
    buildFeatures: async () => {
      await released;
      return A_BUILD;
    },
  });
  const ref = await requestStep(queues, 'build-features');
  const following = follow(ref);
  await until('it runs', async () => (await findJob(queues, ref))?.processedOn !== undefined);
  await redis.restart();
  release();
  t.deepEqual(await following, A_BUILD);
});

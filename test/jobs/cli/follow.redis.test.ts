import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { findJob } from '../../../jobs/queue/queues.ts';
import { requestStep } from '../../../jobs/queue/requests.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { startRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';

const A_BUILD = { rows: { route_stats: 12 }, checks: [] };

test('following a job that has already ended returns its result', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  const ref = await requestStep(queues, 'build-features');
  await work({ buildFeatures: async () => A_BUILD });
  await until(
    'the job is done',
    async () => (await findJob(queues, ref))?.finishedOn !== undefined,
  );
  t.deepEqual(await follow(ref), A_BUILD);
});

test('following a failed job throws its reason', async (t) => {
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

test('an outage is retried, and each failed attempt is reported', async (t) => {
  const { queues, follow, work, notes } = await queueWorld(t);
  let attempts = 0;
  await work({
    buildFeatures: async () => {
      attempts += 1;
      if (attempts < 2) throw new Error('disk unavailable');
      return A_BUILD;
    },
  });
  t.deepEqual(await follow(await requestStep(queues, 'build-features')), A_BUILD);
  t.deepEqual(notes, ['build-features: attempt 1 failed, retrying: disk unavailable']);
});

test('a final failure between two polls is not reported as a retry', async (t) => {
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
  let polls = 0;
  queue.getJobState = async (id) => ((polls += 1) === 1 ? 'active' : stateNow(id));
  await t.throwsAsync(follow(ref), { name: 'JobFailedError' });
  t.true(polls > 1);
  t.deepEqual(notes, []);
});

test('removing a job ends the wait for it', async (t) => {
  const { queues, follow } = await queueWorld(t);
  const ref = await requestStep(queues, 'build-features');
  const following = follow(ref);
  await sleep(50);
  await queues.queue('warehouse').remove(ref.id);
  await t.throwsAsync(following, { message: 'the job was removed from the queue' });
});

test('a follower that stops leaves the job in the queue', async (t) => {
  const { queues, follow } = await queueWorld(t);
  const ref = await requestStep(queues, 'build-features');
  const abort = new AbortController();
  const following = follow(ref, abort.signal);
  abort.abort(new Error('enough'));
  await t.throwsAsync(following, { message: 'enough' });
  t.is(await queues.queue('warehouse').count(), 1);
});

test('a follower gets its result even if Redis is killed and restarted meanwhile', async (t) => {
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
  await until('the job runs', async () => (await findJob(queues, ref))?.processedOn !== undefined);
  await redis.restart();
  release();
  t.deepEqual(await following, A_BUILD);
});

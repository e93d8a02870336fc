import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { requestStep } from '../../../jobs/queue/requests.ts';
import { schedulesOf } from '../../../jobs/queue/schedules.ts';
import { DEFAULT_TIMES } from '../../../jobs/queue/schedule-times.ts';
import { startRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';

/**
 * Longer than a worker's blocking wait for the next job. Older versions of the worker never resumed after an outage of
 * this length.
 */
const OUTAGE_MS = 6_000;

const EVERY_SECOND = schedulesOf({ ...DEFAULT_TIMES, nas: '* * * * * *' }).filter(
  ({ id }) => id === 'nas',
);

for (const way of ['kill', 'freeze'] as const) {
  test(`after six seconds without Redis (${way}) jobs and schedules resume, and no job runs twice at once`, async (t) => {
    const redis = await startRedis((stop) => t.teardown(stop));
    const world = await queueWorld(t, redis);
    let refreshes = 0;
    const builds = { open: 0, most: 0 };
    const gate = Promise.withResolvers<void>();
    await world.work(
      {
        buildFeatures: async () => {
          builds.open += 1;
          builds.most = Math.max(builds.most, builds.open);
          await gate.promise;
          builds.open -= 1;
          return { rows: {}, checks: [] };
        },
        publishStore: async () => ({ version: 'v1', months: [], bytes: 0 }),
        refreshNas: async () => {
          refreshes += 1;
          return { programs: 0 };
        },
      },
      undefined,
      { schedules: EVERY_SECOND, isService: true },
    );
    await until('a schedule runs', () => refreshes > 0);
    const underWay = await requestStep(world.queues, 'build-features');
    await until('a job runs', () => builds.open > 0);
    await (way === 'kill' ? redis.kill() : redis.pause());
    await sleep(OUTAGE_MS);
    await (way === 'kill' ? redis.restart() : redis.resume());
    const before = refreshes;
    gate.resolve();
    await world.follow(underWay);
    await world.follow(await requestStep(world.queues, 'publish'));
    await until('the schedule resumes', () => refreshes > before + 1);
    t.is(builds.most, 1);
  });
}

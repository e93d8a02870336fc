import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { requestStep } from '../../../jobs/queue/requests.ts';
import { schedulesOf } from '../../../jobs/queue/schedules.ts';
import { DEFAULT_TIMES } from '../../../jobs/queue/schedule-times.ts';
import { startRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';

/** Longer than a blocked look for the next job lasts; older queues never looked again after that. */
const AWAY_MS = 6_000;

const EVERY_SECOND = schedulesOf({ ...DEFAULT_TIMES, nas: '* * * * * *' }).filter(
  ({ id }) => id === 'nas',
);

for (const way of ['kill', 'freeze'] as const) {
  test(`after six seconds without Redis (${way}) jobs and schedules go on, and no job is done twice at once`, async (t) => {
    const redis = await startRedis((stop) => t.teardown(stop));
    const world = await queueWorld(t, redis);
    let turns = 0;
    const builds = { open: 0, most: 0 };
    const outlasting = Promise.withResolvers<void>();
    await world.work(
      {
        buildFeatures: async () => {
          builds.open += 1;
          builds.most = Math.max(builds.most, builds.open);
          await outlasting.promise;
          builds.open -= 1;
          return { rows: {}, checks: [] };
        },
        publishStore: async () => ({ version: 'v1', months: [], bytes: 0 }),
        refreshNas: async () => {
          turns += 1;
          return { programs: 0 };
        },
      },
      undefined,
      { schedules: EVERY_SECOND },
    );
    await until('a schedule runs', () => turns > 0);
    const underWay = await requestStep(world.queues, 'build-features');
    await until('a job is under way', () => builds.open > 0);
    await (way === 'kill' ? redis.kill() : redis.pause());
    await sleep(AWAY_MS);
    await (way === 'kill' ? redis.restart() : redis.resume());
    const before = turns;
    outlasting.resolve();
    await world.follow(underWay);
    await world.follow(await requestStep(world.queues, 'publish'));
    await until('the schedule goes on', () => turns > before + 1);
    t.is(builds.most, 1);
  });
}

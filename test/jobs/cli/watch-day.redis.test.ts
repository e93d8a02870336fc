import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openLiveScores } from '../../../api/server/live-scores.ts';
import { DAY_EVENTS, rehearseDay, type DayWorld } from '../../../bench/watches/day.ts';
import { runDay } from '../../../bench/watches/day-run.ts';
import { openWatchWork } from '../../../jobs/cli/watches/watch-work.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const DATE = '2026-11-20';
const DATES = [DATE, '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'];
const FLIGHTS = Array.from(
  { length: 24 },
  (_, hour) => `${String(hour).padStart(2, '0')}:30`,
).flatMap((time) =>
  ['DL', 'AA'].flatMap((airline) =>
    DATES.map((date) => ({ origin: 'JFK', dest: 'LAX', airline, date, dep_time: time })),
  ),
);
const WATCHES = 300;

test('a day of forecasts, news, status and a new month notifies each watcher of each change once, in order', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url, { maxRetriesPerRequest: null });
  t.teardown(() => redis.disconnect());
  const clock = { at: new Date(`${DATE}T00:10:00Z`) };
  const now = () => clock.at;
  const log = pino({ level: 'silent' });
  const config = { redisUrl: server.url, dataDir: await tempDir(t), modelDeadlineMs: 200 };
  const stores = [
    await someStoreFiles({ delayed: 10, builtAt: '2026-11-01T02:30:00Z' }),
    await someStoreFiles({ delayed: 60, builtAt: '2026-11-20T22:00:00Z' }),
  ] as const;
  await saveToRedis(redis, stores[0]);
  const scores = await openLiveScores({ ...config, redis, now, log });
  t.teardown(scores.close);
  const world: DayWorld = {
    ...{ redis, scores, stores, date: DATE, airports: ['JFK', 'LAX'] },
    ...{ flights: FLIGHTS, events: DAY_EVENTS },
    setClock: async (at) => void (clock.at = at),
  };
  const rehearsal = await rehearseDay(world);
  const startWorkers = async (watchHosts: string[]) => {
    for (let worker = 0; worker < 2; worker += 1) {
      const work = await openWatchWork(
        { ...config, watchHosts },
        {
          ...{ redis, log, now },
          timing: {
            ...{ scanEveryMs: 100, recoverEveryMs: 100, waitMs: () => 200, postDeadlineMs: 500 },
          },
        },
      );
      t.teardown(() => work.close(1_000));
    }
  };
  const options = { watches: WATCHES, perAccount: 30, startWorkers, deadlineMs: 120_000 };
  const { events, problems } = await runDay(world, rehearsal, options);
  t.deepEqual(problems, []);
  for (const { name, messages } of events) t.true(messages > 0, `${name} moves scores`);
  t.deepEqual(
    events.map(({ waiting }) => waiting > 0),
    [false, true, true, false, false, false, false],
    'messages to receivers that misbehave wait',
  );
});

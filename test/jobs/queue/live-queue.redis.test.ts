import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { requestLive } from '../../../jobs/queue/requests.ts';
import { queueWorld } from '../helpers/queue-world.ts';

const NEWS = { feeds: 1, failed: [], read: 1, relevant: 1, kept: 1 };
const WEATHER = { airports: 1, refreshed: 1, calls: 1, problems: [] };

test('a news refresh does not wait for a slow weather refresh', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const weather = Promise.withResolvers<typeof WEATHER>();
  const slow = await requestLive(queues, 'refresh-weather');
  await work({ refreshWeather: () => weather.promise, refreshNews: async () => NEWS });
  t.deepEqual(await follow(await requestLive(queues, 'refresh-news')), NEWS);
  t.is(await queues.queue('live').getJobState(slow.id), 'active');
  weather.resolve(WEATHER);
  t.deepEqual(await follow(slow), WEATHER);
});

test('a scheduled refresh and a requested refresh share one fetch', async (t) => {
  const { queues, work, follow } = await queueWorld(t);
  const weather = Promise.withResolvers<typeof WEATHER>();
  let fetches = 0;
  const requested = await requestLive(queues, 'refresh-weather');
  const scheduled = await queues.queue('live').add('refresh-weather', {}, { jobId: 'scheduled' });
  await work({
    refreshWeather: () => {
      fetches += 1;
      return weather.promise;
    },
  });
  while ((await queues.queue('live').getActiveCount()) < 2) await sleep(20);
  weather.resolve(WEATHER);
  t.deepEqual(await follow(requested), WEATHER);
  t.deepEqual(await follow({ queue: 'live', id: scheduled.id ?? '' }), WEATHER);
  t.is(fetches, 1);
});

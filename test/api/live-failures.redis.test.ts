import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Redis } from 'ioredis';
import pino from 'pino';
import { connectRedis } from '../../api/keys/redis.ts';
import { openLiveFeed } from '../../api/live-feed.ts';
import { createLiveInputs } from '../../api/live-inputs.ts';
import { createGuardedFetch } from '../../pipelines/fetch-guarded.ts';
import { refreshWeather, weatherPolicy } from '../../pipelines/weather/refresh.ts';
import { saveForecasts } from '../../warehouse/store/forecasts.ts';
import { fakeUpstream, TROUBLES } from '../helpers/fake-upstream.ts';
import { aForecast, JFK, LAX } from '../helpers/forecasts.ts';
import { startRedis } from '../helpers/redis.ts';
import { anApi, NOW, scoreUrl } from './helpers/app.ts';

const log = pino({ level: 'silent' });
const LIMITS = { deadlineMs: 1_000, maxBytes: 2_000_000 };
const SCORES_MEANWHILE = 20;

test('whatever goes wrong upstream, scores are answered from the last good forecast and say so', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const live = openLiveFeed({ connect: () => connectRedis(server.url, log), log });
  t.teardown(() => live.close());
  const ask = anApi({ liveInputs: createLiveInputs({ live, now: () => NOW }) });
  const upstream = await fakeUpstream(t, () => ({
    body: JSON.stringify(
      [JFK, LAX].map((place) => aForecast(place, { from: '2026-03-20T00:00', hours: 24 })),
    ),
  }));
  const refresh = (base: string) =>
    refreshWeather(
      {
        forecastUrl: `${base}/v1/forecast`,
        fetch: createGuardedFetch(LIMITS),
        places: async () => [JFK, LAX],
        budget: {
          take: async () => true,
          pause: async () => undefined,
          pausedMs: async () => 0,
        },
        policy: weatherPolicy(() => 0, 1),
        saveForecasts: (forecasts) => saveForecasts(redis, forecasts),
        pauseMs: 0,
        sleep,
        now: () => NOW,
      },
      () => undefined,
    );

  const unknown = await ask(scoreUrl());
  t.like(unknown.body['weather_dep'], { condition: 'Unavailable', temp: null });
  await refresh(upstream.url);
  while (live.forecast('JFK') === undefined) await sleep(20);
  const good = await ask(scoreUrl());
  t.like(good.body['weather_dep'], { condition: 'Rain', temp: 10, wind: 10, precip: 0.5 });
  t.is(good.status, 200);

  for (const trouble of TROUBLES) {
    const failing = t.throwsAsync(refresh(upstream.addressIn(trouble)), undefined, trouble);
    for (let asked = 0; asked < SCORES_MEANWHILE; asked += 1) {
      const { status, body } = await ask(scoreUrl());
      t.is(status, 200, trouble);
      t.deepEqual(body, good.body, trouble);
    }
    await failing;
    t.deepEqual((await ask(scoreUrl())).body, good.body, trouble);
  }
});

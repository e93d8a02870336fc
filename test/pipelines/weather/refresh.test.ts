import test, { type ExecutionContext } from 'ava';
import { createGuardedFetch } from '../../../pipelines/fetch-guarded.ts';
import { SourceOutageError } from '../../../pipelines/errors.ts';
import {
  refreshWeather,
  weatherPolicy,
  type RefreshWeatherDeps,
} from '../../../pipelines/weather/refresh.ts';
import type { WeatherPlace } from '../../../pipelines/weather/types.ts';
import type { Forecast } from '../../../warehouse/live/forecasts.ts';
import {
  fakeUpstream,
  RETRY_AFTER_S,
  FAULTS,
  type Answer,
} from '../../../bench/stage/fake-upstream.ts';
import { buildForecast, JFK, LAX } from '../../../bench/stage/forecasts.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

/** A working server: an hourly forecast for each requested place. */
function forecastsFor(places: WeatherPlace[]) {
  return (url: URL): Answer => {
    const latitudes = url.searchParams.get('latitude')?.split(',') ?? [];
    const answers = latitudes.map((latitude) => {
      const requestedPlace = places.find((one) => one.latitude.toFixed(4) === latitude) ?? JFK;
      return buildForecast(requestedPlace);
    });
    return { body: JSON.stringify(answers.length === 1 ? answers[0] : answers) };
  };
}

type World = {
  places?: WeatherPlace[];
  answer?: (url: URL) => Answer;
  deps?: Partial<RefreshWeatherDeps>;
};

async function aWorld(t: ExecutionContext, { places = [JFK, LAX], answer, deps }: World = {}) {
  const upstream = await fakeUpstream(t, answer ?? forecastsFor(places));
  const saved = new Map<string, Forecast>();
  const pauses: number[] = [];
  const defaultDeps: RefreshWeatherDeps = {
    forecastUrl: `${upstream.url}/v1/forecast`,
    fetch: createGuardedFetch({ deadlineMs: 20_000, maxBytes: 2_000_000 }),
    places: async () => places,
    budget: {
      take: async () => true,
      pause: async (ms) => void pauses.push(ms),
      pausedMs: async () => pauses.at(-1) ?? 0,
    },
    policy: weatherPolicy(() => 0, 1),
    saveForecasts: async (forecasts) => {
      for (const [airport, forecast] of forecasts) saved.set(airport, forecast);
    },
    pauseMs: 0,
    sleep: async () => undefined,
    now: () => NOW,
    ...deps,
  };
  const refresh = (changes: Partial<RefreshWeatherDeps> = {}) =>
    refreshWeather({ ...defaultDeps, ...changes }, () => undefined);
  return { upstream, saved, pauses, refresh };
}

/** Airports on a line, far enough apart to be distinguished. */
function manyPlaces(count: number): WeatherPlace[] {
  return Array.from({ length: count }, (_, index) => ({
    airport: `P${index}`,
    latitude: -80 + index * 0.01,
    longitude: 10,
    timeZone: 'Etc/UTC',
  }));
}

test('every airport gets its forecast with fetch time and local days', async (t) => {
  const { refresh, saved } = await aWorld(t);
  t.deepEqual(await refresh(), { airports: 2, refreshed: 2, calls: 2, problems: [] });
  t.is(saved.get('JFK')?.fetchedAt, '2026-11-21T12:00:00.000Z');
  t.deepEqual(saved.get('LAX')?.days.get('2026-11-21'), {
    ...{ tempMeanC: 10, windMaxKmh: 10, gustMaxKmh: 20, precipMaxMm: 0.5 },
    ...{ snowfallCm: 0, visibilityMinM: 20_000, coldMistHours: 0, weatherCode: 61 },
  });
});

test('a request has up to a hundred airports', async (t) => {
  const places = manyPlaces(201);
  const { refresh, upstream } = await aWorld(t, { places });
  t.like(await refresh(), { airports: 201, refreshed: 201, calls: 201 });
  t.is(upstream.requests.length, 3);
});

for (const trouble of FAULTS) {
  test(`${trouble}: the job fails with a reason, and the last good forecast stays`, async (t) => {
    const { refresh, saved, upstream } = await aWorld(t);
    await refresh();
    const formerForecast = saved.get('JFK');
    const isSlow = trouble === 'never-answers' || trouble === 'trickle';
    const fetch = createGuardedFetch({ deadlineMs: isSlow ? 200 : 20_000, maxBytes: 2_000_000 });
    const forecastUrl = `${upstream.faultUrl(trouble)}/v1/forecast`;
    const error = await t.throwsAsync(refresh({ fetch, forecastUrl }), {
      instanceOf: SourceOutageError,
    });
    t.true((error?.message.length ?? 0) > 20, error?.message);
    t.is(saved.get('JFK'), formerForecast);
  });
}

test('a request that failed once is retried', async (t) => {
  let requestCount = 0;
  const answer = (url: URL): Answer => {
    requestCount += 1;
    return requestCount === 1 ? { status: 503, body: '' } : forecastsFor([JFK, LAX])(url);
  };
  const { refresh, upstream } = await aWorld(t, { answer });
  t.like(await refresh(), { refreshed: 2, calls: 4, problems: [] });
  t.is(upstream.requests.length, 2);
});

test('a failing request does not affect the others', async (t) => {
  const places = manyPlaces(300);
  let requestCount = 0;
  const answer = (url: URL): Answer => {
    requestCount += 1;
    return requestCount === 2 ? { body: '{"error":true}' } : forecastsFor(places)(url);
  };
  const { refresh, saved } = await aWorld(t, { places, answer });
  const { refreshed, problems } = await refresh();
  t.is(refreshed, 200);
  t.regex(problems[0] ?? '', /not a forecast/);
  t.false(saved.has('P150'));
  t.true(saved.has('P299'));
});

test('a long Retry-After pauses all workers and is not retried', async (t) => {
  const places = manyPlaces(250);
  const { refresh, upstream, pauses } = await aWorld(t, { places });
  const forecastUrl = `${upstream.faultUrl('status-429')}/v1/forecast`;
  const error = await t.throwsAsync<SourceOutageError>(refresh({ forecastUrl }), {
    message: /answers 429; requests are paused until 12:02:00 UTC at the request of the provider$/,
  });
  t.is(error?.retryAfterMs, RETRY_AFTER_S * 1_000);
  t.deepEqual(pauses, [RETRY_AFTER_S * 1_000]);
  t.is(upstream.requests.length, 1);
});

for (const retryAfter of ['99999999999', 'Thu, 01 Jan 2099 00:00:00 GMT', '9'.repeat(30)]) {
  test(`a Retry-After of ${retryAfter} pauses for a day at most`, async (t) => {
    const answer = () => ({ status: 429, headers: { 'retry-after': retryAfter }, body: '' });
    const { refresh, pauses } = await aWorld(t, { answer });
    await t.throwsAsync(refresh(), { message: /answers 429$/ });
    t.deepEqual(pauses, [24 * 3_600_000]);
  });
}

test('a server that keeps failing is paused', async (t) => {
  const places = manyPlaces(500);
  const { refresh, upstream } = await aWorld(t, { places });
  const forecastUrl = `${upstream.faultUrl('status-500')}/v1/forecast`;
  const error = await t.throwsAsync(refresh({ forecastUrl }));
  t.regex(error?.message ?? '', /paused after repeated failures of the provider$/);
  t.is(upstream.requests.length, 6);
});

test("today's quota of calls is never exceeded", async (t) => {
  let callsLeft = 100;
  const take = async (calls: number) => {
    callsLeft -= calls;
    return callsLeft >= 0;
  };
  const budget = { take, pause: async () => undefined, pausedMs: async () => 0 };
  const { refresh, upstream } = await aWorld(t, { places: manyPlaces(200), deps: { budget } });
  const report = await refresh();
  t.like(report, { refreshed: 100, calls: 100, problems: ["today's calls are used up"] });
  t.is(upstream.requests.length, 1);
});

test('with OFFLINE=1 nothing is fetched and nothing fails', async (t) => {
  const { refresh, upstream } = await aWorld(t);
  const report = await refresh({ forecastUrl: undefined });
  t.like(report, { refreshed: 0, problems: ['not fetched: OFFLINE=1 is set'] });
  t.deepEqual(upstream.requests, []);
});

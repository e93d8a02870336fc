import test, { type ExecutionContext } from 'ava';
import { SourceOutageError, SourceRefusedError } from '../../../pipelines/errors.ts';
import { createGuardedFetch } from '../../../pipelines/fetch-guarded.ts';
import {
  extractWeatherMonth,
  weatherSourceName,
  type WeatherMonthDeps,
} from '../../../pipelines/weather/extract-month.ts';
import type { WeatherSource } from '../../../pipelines/weather/types.ts';
import type { AirportDays } from '../../../warehouse/lake/weather-lake.ts';
import { fakeUpstream, RETRY_AFTER_S, type Answer } from '../../../bench/stage/fake-upstream.ts';
import { buildForecast, JFK, LAX } from '../../../bench/stage/forecasts.ts';

const OBSERVATIONS = [
  'origin,year,month,day,hour,temp,wind_speed,precip,visib',
  ...Array.from({ length: 24 }, (_, hour) => `JFK,2017,1,15,${hour},50,10,0,10`),
  ...Array.from({ length: 24 }, (_, hour) => `JFK,2017,1,16,${hour},50,10,0,10`),
  'ZZZ,2017,1,15,3,50,10,0,10',
].join('\n');

/** An archive with the hours of the requested span, at both places. */
function archive(url: URL): Answer {
  const [from, to] = ['start_date', 'end_date'].map((name) => url.searchParams.get(name) ?? '');
  const hours = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 3_600_000 + 24;
  const answers = [JFK, LAX].map((place) => buildForecast(place, { from: `${from}T00:00`, hours }));
  return { body: JSON.stringify(answers) };
}

async function aWorld(t: ExecutionContext, changes: Partial<WeatherMonthDeps> = {}) {
  const upstream = await fakeUpstream(t, archive);
  const writtenMonths: { ref: object; days: AirportDays }[] = [];
  const callWeights: number[] = [];
  const deps: WeatherMonthDeps = {
    offline: false,
    fetch: createGuardedFetch({ deadlineMs: 20_000, maxBytes: 5_000_000 }),
    budget: {
      take: async (calls) => callWeights.push(calls) > 0,
      pause: async () => undefined,
      pausedMs: async () => 0,
    },
    places: async () => [JFK, LAX],
    readText: async () => OBSERVATIONS,
    airportsInLake: async () => undefined,
    write: async (ref, days) => writtenMonths.push({ ref, days }),
    pauseMs: 0,
    sleep: async () => undefined,
    now: () => new Date('2017-02-07T00:00:00Z'),
    ...changes,
  };
  const extract = (month: string, source?: WeatherSource, force = false) =>
    extractWeatherMonth(
      { month, source: source ?? { kind: 'url', base: `${upstream.url}/v1/archive` }, force },
      deps,
      () => undefined,
    );
  return { upstream, writtenMonths, callWeights, extract };
}

test('a month is requested with a day on either side, for all airports at once, and counted', async (t) => {
  const { extract, writtenMonths, upstream, callWeights } = await aWorld(t);
  t.like(await extract('2017-01'), { month: '2017-01', outcome: 'done' });
  t.is(upstream.requests.length, 1);
  t.regex(upstream.requests[0] ?? '', /start_date=2016-12-31&end_date=2017-02-01/);
  // The call requests seven series for two places and 33 days. Each place has a weight of 0.7 × 33 / 14.
  t.true(Math.abs((callWeights[0] ?? 0) - 3.3) < 1e-9);
  t.deepEqual(writtenMonths[0]?.ref, { source: 'archive', month: '2017-01' });
  const dates = writtenMonths[0]?.days.get('LAX')?.map(({ date }) => date) ?? [];
  t.is(dates.filter((date) => date.startsWith('2017-01')).length, 31);
});

test('a month is skipped while it is incomplete in the archive, and when the lake has every airport', async (t) => {
  const { extract, upstream } = await aWorld(t);
  t.like(await extract('2017-02'), {
    outcome: 'absent',
    why: 'not complete in the archive yet',
  });
  const complete = await aWorld(t, { airportsInLake: async () => ['JFK', 'LAX', 'SEA'] });
  t.like(await complete.extract('2017-01'), { outcome: 'unchanged' });
  t.like(await complete.extract('2017-01', undefined, true), { outcome: 'done' });
  t.is(complete.upstream.requests.length, 1);
  const partial = await aWorld(t, { airportsInLake: async () => ['JFK'] });
  t.like(await partial.extract('2017-01'), { outcome: 'done' });
  t.deepEqual(upstream.requests, []);
});

test('a long Retry-After of the archive pauses all workers', async (t) => {
  const pauses: number[] = [];
  const budget = {
    take: async () => true,
    pause: async (ms: number) => void pauses.push(ms),
    pausedMs: async () => 0,
  };
  const { extract, upstream } = await aWorld(t, { budget });
  const base = `${upstream.faultUrl('status-429')}/v1/archive`;
  await t.throwsAsync(extract('2017-01', { kind: 'url', base }), { message: /answers 429$/ });
  t.deepEqual(pauses, [RETRY_AFTER_S * 1_000]);
});

test('during a pause the archive is not called, and the job waits until its end', async (t) => {
  const budget = {
    take: async () => true,
    pause: async () => undefined,
    pausedMs: async () => 90_000,
  };
  const { extract, upstream } = await aWorld(t, { budget });
  const error = await t.throwsAsync<SourceOutageError>(extract('2017-01'), {
    instanceOf: SourceOutageError,
    message: /paused until 00:01:30 UTC at the request of the provider$/,
  });
  t.is(error?.retryAfterMs, 90_000);
  t.deepEqual(upstream.requests, []);
});

test('observations give local days for those airports that have flights', async (t) => {
  const { extract, writtenMonths } = await aWorld(t);
  const file: WeatherSource = { kind: 'file', path: '/data/nyc 2017.csv.gz' };
  t.is(weatherSourceName(file), 'nyc_2017.csv.gz');
  t.like(await extract('2017-01', file), { outcome: 'done' });
  t.deepEqual(
    [...(writtenMonths[0]?.days ?? [])],
    [
      [
        'JFK',
        [
          // The hours are in UTC, five hours ahead of New York. Five hours belong to the 14th, nineteen to the 16th.
          {
            ...{ date: '2017-01-15', tempMeanC: 10, windMaxKmh: 16.09, precipMaxMm: 0 },
            ...{ snowfallCm: 0, visibilityMinM: 16_093.44, coldMistHours: 0 },
          },
          {
            ...{ date: '2017-01-16', tempMeanC: 10, windMaxKmh: 16.09, precipMaxMm: 0 },
            ...{ snowfallCm: 0, visibilityMinM: 16_093.44, coldMistHours: 0 },
          },
        ],
      ],
    ],
  );
  t.like(await extract('2018-01', file), {
    outcome: 'absent',
    why: 'the source has no day of this month',
  });
});

test('an outage is temporary; an empty quota, no airports, OFFLINE=1 and unknown airports are final', async (t) => {
  const { extract, upstream } = await aWorld(t);
  const base = (trouble: 'status-429' | 'html') => ({
    kind: 'url' as const,
    base: upstream.faultUrl(trouble),
  });
  const busy = await t.throwsAsync<SourceOutageError>(extract('2017-01', base('status-429')), {
    instanceOf: SourceOutageError,
  });
  t.is(busy?.retryAfterMs, 120_000);
  await t.throwsAsync(extract('2017-01', base('html')), { message: /not JSON$/ });
  const budget = { take: async () => false, pause: async () => undefined, pausedMs: async () => 0 };
  for (const [changes, message] of [
    [{ budget }, /used up/],
    [{ places: async () => [] }, /no score store is published/],
    [{ offline: true }, /OFFLINE=1/],
  ] as const) {
    const world = await aWorld(t, changes);
    await t.throwsAsync(world.extract('2017-01'), { instanceOf: SourceRefusedError, message });
    t.deepEqual([world.upstream.requests, world.writtenMonths], [[], []]);
  }
  const unknownAirports = await aWorld(t, { places: async () => [LAX] });
  await t.throwsAsync(unknownAirports.extract('2017-01', { kind: 'file', path: '/x.csv' }), {
    message: /none of its airports \(JFK, ZZZ\) has flights in the published store$/,
  });
});

test('a file whose hours contradict its zone is refused, unless forced', async (t) => {
  const warmAt10 = Array.from({ length: 31 * 24 }, (_, index) => {
    const [day, hour] = [Math.floor(index / 24) + 1, index % 24];
    const temp = 50 + 10 * Math.cos(((hour - 15) / 12) * Math.PI) + (day % 3);
    return `JFK,2017,1,${day},${hour},${temp.toFixed(1)},10,0,10`;
  });
  const header = OBSERVATIONS.split('\n')[0] ?? '';
  const { extract, writtenMonths } = await aWorld(t, {
    readText: async () => [header, ...warmAt10].join('\n'),
  });
  const local = { kind: 'file' as const, path: '/x/hours.csv', zone: 'local' };
  const { zone: _, ...withoutZone } = local;
  await t.throwsAsync(() => extract('2017-01', withoutZone), {
    instanceOf: SourceRefusedError,
    message: /do not seem to be in UTC.*ZONE=local/,
  });
  t.like(await extract('2017-01', local), { outcome: 'done' });
  t.like(await extract('2017-01', withoutZone, true), { outcome: 'done' });
  // The last day is complete in New York's time, because the hours are in that zone.
  const lastDays = writtenMonths.map(({ days }) => days.get('JFK')?.at(-1)?.date);
  t.deepEqual(lastDays, ['2017-01-31', '2017-01-31']);
  t.deepEqual(
    writtenMonths.map(({ days }) => days.get('JFK')?.length),
    [31, 31],
  );
});

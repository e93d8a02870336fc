import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { loadGazetteer } from '../../../bench/news/classify.ts';
import { forecastsSavedAt } from '../../../warehouse/live/forecasts.ts';
import {
  BAD_FEEDS,
  BAD_FORECASTS,
  malformedFeeds,
  type BadForecast,
} from '../../../bench/stage/bad-data.ts';
import { fakeUpstream } from '../../../bench/stage/fake-upstream.ts';
import { buildForecast, JFK, LAX } from '../../../bench/stage/forecasts.ts';
import { NOW, scoreUrl } from '../helpers/app.ts';
import { liveWorld } from '../helpers/live-world.ts';

const FLIGHT = scoreUrl({ date: '2026-03-11', include: 'lineage' });
const LATER = new Date(NOW.getTime() + 95 * 60_000);
/** Sixteen days, like a real forecast; the flight departs on the second day. */
const good = () =>
  [JFK, LAX].map((place) => buildForecast(place, { from: '2026-03-10T00:00', hours: 16 * 24 }));

const UNKNOWN = { basis: 'none', age_min: null };
const TYPICAL = { basis: 'climatology', age_min: null };
const LAST_GOOD = { basis: 'forecast', age_min: 95 };
const NEW = { basis: 'forecast', age_min: 0 };

/**
 * Weather in the answer if a good forecast and, 95 minutes later, a bad forecast of this kind were fetched. For all
 * other kinds, the answer uses the last good forecast.
 */
const EXPECTED: Partial<Record<BadForecast, { weather_dep: object; weather_arr: object }>> = {
  'null temperatures': { weather_dep: NEW, weather_arr: NEW },
  'missing days': { weather_dep: TYPICAL, weather_arr: UNKNOWN },
};

for (const [kind, serve] of Object.entries(BAD_FORECASTS)) {
  test(`after a forecast with ${kind}, scores are still answered and report the weather that they used`, async (t) => {
    const { sendRequest, clock, redis, refreshForecasts } = await liveWorld(t);
    const { url } = await fakeUpstream(t, ({ pathname }) => ({
      body: pathname.startsWith('/bad') ? serve(good()) : JSON.stringify(good()),
    }));
    const expected = EXPECTED[kind as BadForecast];
    const isSaved = expected !== undefined;
    if (!isSaved) {
      await t.throwsAsync(refreshForecasts(`${url}/bad`));
      t.like(await sendRequest(FLIGHT), {
        status: 200,
        body: { lineage: { weather_dep: TYPICAL, weather_arr: UNKNOWN } },
      });
    }
    await refreshForecasts(url);
    const before = await sendRequest(FLIGHT);
    t.like(before.body, { weather_dep: { temp: 10, wind: 10 } });
    const savedAt = await forecastsSavedAt(redis);
    clock.now = LATER;
    await (isSaved
      ? refreshForecasts(`${url}/bad`)
      : t.throwsAsync(refreshForecasts(`${url}/bad`)));
    const after = await sendRequest(FLIGHT);
    t.like(after, {
      status: 200,
      body: { lineage: expected ?? { weather_dep: LAST_GOOD, weather_arr: LAST_GOOD } },
    });
    if (isSaved) return;
    t.is(await forecastsSavedAt(redis), savedAt);
    t.deepEqual(
      { ...after.body, lineage: undefined },
      { ...before.body, lineage: undefined },
      'the answer contains nothing from the bad forecast',
    );
  });
}

test('a forecast without temperatures is used for its other readings', async (t) => {
  const { sendRequest, refreshForecasts } = await liveWorld(t);
  const body = BAD_FORECASTS['null temperatures'](good());
  const { url } = await fakeUpstream(t, () => ({ body }));
  await refreshForecasts(url);
  const weather = { condition: 'Rain', temp: null, wind: 10, precip: 0.5 };
  t.like((await sendRequest(FLIGHT)).body, { weather_dep: weather, weather_arr: weather });
});

type Components = { key: string; value: number }[];

test('only genuine headlines in malformed feeds change a score', async (t) => {
  const { sendRequest, refreshNews } = await liveWorld(t, await loadGazetteer());
  const feeds = new Map<string, string | Buffer>(malformedFeeds());
  t.is(feeds.size, 10);
  for (const [kind, serve] of Object.entries(BAD_FEEDS)) feeds.set(kind, serve());
  const { url } = await fakeUpstream(t, ({ pathname }) => ({
    headers: { 'content-type': 'application/xml' },
    body: feeds.get(decodeURIComponent(pathname.slice(1))) ?? '',
  }));
  const addressOf = (kind: string) => `${url}/${encodeURIComponent(kind)}`;
  const risk = async () => {
    const { status, body } = await sendRequest(FLIGHT);
    t.is(status, 200);
    return (body['components'] as Components).find(({ key }) => key === 'event_risk')?.value ?? 0;
  };
  const honest = 'HTML in titles';
  const { items } = await refreshNews(
    [...feeds.keys()].filter((name) => name !== honest).map(addressOf),
  );
  t.deepEqual(items, []);
  t.is(await risk(), 0);

  const { items: genuine } = await refreshNews([addressOf(honest)]);
  t.like(genuine, [
    { title: 'Strike closes Kennedy airport, all flights cancelled', severity: 0.9 },
  ]);
  while ((await risk()) === 0) await sleep(20);
  t.pass('the headline is stored as news, without its markup');
});

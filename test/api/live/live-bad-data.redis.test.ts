import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { realGazetteer } from '../../../bench/news/judged.ts';
import { forecastsSavedAt } from '../../../warehouse/live/forecasts.ts';
import {
  BAD_FEEDS,
  BAD_FORECASTS,
  malformedFeeds,
  type BadForecast,
} from '../../../bench/stage/bad-data.ts';
import { fakeUpstream } from '../../../bench/stage/fake-upstream.ts';
import { aForecast, JFK, LAX } from '../../../bench/stage/forecasts.ts';
import { NOW, scoreUrl } from '../helpers/app.ts';
import { liveWorld } from '../helpers/live-world.ts';

const FLIGHT = scoreUrl({ date: '2026-03-11', include: 'lineage' });
const LATER = new Date(NOW.getTime() + 95 * 60_000);
/** Sixteen days, as a provider has them; the flight leaves on the second. */
const good = () =>
  [JFK, LAX].map((place) => aForecast(place, { from: '2026-03-10T00:00', hours: 16 * 24 }));

const UNKNOWN = { basis: 'none', age_min: null };
const TYPICAL = { basis: 'climatology', age_min: null };
const LAST_GOOD = { basis: 'forecast', age_min: 95 };
const NEW = { basis: 'forecast', age_min: 0 };

/** What the answer says it used when a bad forecast comes 95 minutes after a good one; the last good one elsewhere. */
const SAYS: Partial<Record<BadForecast, { weather_dep: object; weather_arr: object }>> = {
  'null temperatures': { weather_dep: NEW, weather_arr: NEW },
  'missing days': { weather_dep: TYPICAL, weather_arr: UNKNOWN },
};

for (const [what, serve] of Object.entries(BAD_FORECASTS)) {
  test(`a forecast with ${what}: scores are answered, and say what weather they used`, async (t) => {
    const { ask, clock, redis, refreshForecasts } = await liveWorld(t);
    const { url } = await fakeUpstream(t, ({ pathname }) => ({
      body: pathname.startsWith('/bad') ? serve(good()) : JSON.stringify(good()),
    }));
    const says = SAYS[what as BadForecast];
    const isSaved = says !== undefined;
    if (!isSaved) {
      await t.throwsAsync(refreshForecasts(`${url}/bad`));
      t.like(await ask(FLIGHT), {
        status: 200,
        body: { lineage: { weather_dep: TYPICAL, weather_arr: UNKNOWN } },
      });
    }
    await refreshForecasts(url);
    const before = await ask(FLIGHT);
    t.like(before.body, { weather_dep: { temp: 10, wind: 10 } });
    const savedAt = await forecastsSavedAt(redis);
    clock.now = LATER;
    await (isSaved
      ? refreshForecasts(`${url}/bad`)
      : t.throwsAsync(refreshForecasts(`${url}/bad`)));
    const after = await ask(FLIGHT);
    t.like(after, {
      status: 200,
      body: { lineage: says ?? { weather_dep: LAST_GOOD, weather_arr: LAST_GOOD } },
    });
    if (isSaved) return;
    t.is(await forecastsSavedAt(redis), savedAt);
    t.deepEqual(
      { ...after.body, lineage: undefined },
      { ...before.body, lineage: undefined },
      'nothing of it is in the answer',
    );
  });
}

test('of a forecast without temperatures the rest is used', async (t) => {
  const { ask, refreshForecasts } = await liveWorld(t);
  const body = BAD_FORECASTS['null temperatures'](good());
  const { url } = await fakeUpstream(t, () => ({ body }));
  await refreshForecasts(url);
  const weather = { condition: 'Rain', temp: null, wind: 10, precip: 0.5 };
  t.like((await ask(FLIGHT)).body, { weather_dep: weather, weather_arr: weather });
});

type Components = { key: string; value: number }[];

test('of bad feeds only what they honestly say reaches a score', async (t) => {
  const { ask, refreshNews } = await liveWorld(t, await realGazetteer());
  const feeds = new Map<string, string | Buffer>(malformedFeeds());
  t.is(feeds.size, 10);
  for (const [what, serve] of Object.entries(BAD_FEEDS)) feeds.set(what, serve());
  const { url } = await fakeUpstream(t, ({ pathname }) => ({
    headers: { 'content-type': 'application/xml' },
    body: feeds.get(decodeURIComponent(pathname.slice(1))) ?? '',
  }));
  const addressOf = (what: string) => `${url}/${encodeURIComponent(what)}`;
  const risk = async () => {
    const { status, body } = await ask(FLIGHT);
    t.is(status, 200);
    return (body['components'] as Components).find(({ key }) => key === 'event_risk')?.value ?? 0;
  };
  const honest = 'HTML in titles';
  const { items } = await refreshNews(
    [...feeds.keys()].filter((one) => one !== honest).map(addressOf),
  );
  t.deepEqual(items, []);
  t.is(await risk(), 0);

  const { items: kept } = await refreshNews([addressOf(honest)]);
  t.like(kept, [{ title: 'Strike closes Kennedy airport, all flights cancelled', severity: 0.9 }]);
  while ((await risk()) === 0) await sleep(20);
  t.pass('the claim itself is news, without its markup');
});

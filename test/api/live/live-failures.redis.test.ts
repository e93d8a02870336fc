import test from 'ava';
import { fakeUpstream, TROUBLES } from '../../../bench/stage/fake-upstream.ts';
import { aForecast, JFK, LAX } from '../../../bench/stage/forecasts.ts';
import { scoreUrl } from '../helpers/app.ts';
import { liveWorld } from '../helpers/live-world.ts';

const SCORES_MEANWHILE = 20;
const FLIGHT = scoreUrl({ include: 'lineage' });

test('whatever goes wrong upstream, scores are answered from the last good forecast and say so', async (t) => {
  const { ask, refreshForecasts } = await liveWorld(t);
  const upstream = await fakeUpstream(t, () => ({
    body: JSON.stringify(
      [JFK, LAX].map((place) => aForecast(place, { from: '2026-03-20T00:00', hours: 24 })),
    ),
  }));

  const unknown = await ask(FLIGHT);
  t.like(unknown.body['weather_arr'], { condition: 'Unavailable', temp: null });
  t.like(unknown.body['lineage'], {
    weather_dep: { basis: 'climatology', age_min: null },
    weather_arr: { basis: 'none', age_min: null },
  });
  await refreshForecasts(upstream.url);
  const good = await ask(FLIGHT);
  t.is(good.status, 200);
  t.like(good.body, {
    weather_dep: { condition: 'Rain', temp: 10, wind: 10, precip: 0.5 },
    lineage: { weather_dep: { basis: 'forecast', age_min: 0 } },
  });

  for (const trouble of TROUBLES) {
    const failing = t.throwsAsync(
      refreshForecasts(upstream.addressIn(trouble)),
      undefined,
      trouble,
    );
    for (let asked = 0; asked < SCORES_MEANWHILE; asked += 1) {
      const { status, body } = await ask(FLIGHT);
      t.is(status, 200, trouble);
      t.deepEqual(body, good.body, trouble);
    }
    await failing;
    t.deepEqual((await ask(FLIGHT)).body, good.body, trouble);
  }
});

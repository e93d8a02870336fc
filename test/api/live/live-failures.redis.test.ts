import test from 'ava';
import { fakeUpstream, FAULTS } from '../../../bench/stage/fake-upstream.ts';
import { buildForecast, JFK, LAX } from '../../../bench/stage/forecasts.ts';
import { scoreUrl } from '../helpers/app.ts';
import { liveWorld } from '../helpers/live-world.ts';

const SCORES_MEANWHILE = 20;
const FLIGHT = scoreUrl({ include: 'lineage' });

test('when the upstream service fails in any way, scores use the last good forecast and report its age', async (t) => {
  const { sendRequest, refreshForecasts } = await liveWorld(t);
  const upstream = await fakeUpstream(t, () => ({
    body: JSON.stringify(
      [JFK, LAX].map((place) => buildForecast(place, { from: '2026-03-20T00:00', hours: 24 })),
    ),
  }));

  const unknown = await sendRequest(FLIGHT);
  t.like(unknown.body['weather_arr'], { condition: 'Unavailable', temp: null });
  t.like(unknown.body['lineage'], {
    weather_dep: { basis: 'climatology', age_min: null },
    weather_arr: { basis: 'none', age_min: null },
  });
  await refreshForecasts(upstream.url);
  const good = await sendRequest(FLIGHT);
  t.is(good.status, 200);
  t.like(good.body, {
    weather_dep: { condition: 'Rain', temp: 10, wind: 10, precip: 0.5 },
    lineage: { weather_dep: { basis: 'forecast', age_min: 0 } },
  });

  for (const fault of FAULTS) {
    const failing = t.throwsAsync(refreshForecasts(upstream.faultUrl(fault)), undefined, fault);
    for (let count = 0; count < SCORES_MEANWHILE; count += 1) {
      const { status, body } = await sendRequest(FLIGHT);
      t.is(status, 200, fault);
      t.deepEqual(body, good.body, fault);
    }
    await failing;
    t.deepEqual((await sendRequest(FLIGHT)).body, good.body, fault);
  }
});

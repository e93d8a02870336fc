import test from 'ava';
import { expit } from '../../../../warehouse/ground/log-odds.ts';
import { aRouteHour, buildWarehouse } from '../../../helpers/warehouse.ts';

const LEVEL = 'select * from marts.delay_level';
type Level = { log_odds: number; delayed_rate: number; calendar_days: number };

test('at the level, the expected delays of the newest year equal its actual delays', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [
      // Older than a year: used for effects, not for the level.
      aRouteHour({ month: '2016-07-01', completed_count: 5000, delayed_count: 2500 }),
      aRouteHour({ month: '2018-06-01', carrier: 'AA', completed_count: 3000, delayed_count: 900 }),
      aRouteHour({ month: '2018-07-01', completed_count: 6000, delayed_count: 300 }),
    ],
  });
  const [level] = await db.rows<Level>(LEVEL);
  const expected = await db.rows<{ effects: number; month: number; flights: number }>(
    `select sum(effect * case when delay_effects.kind like '%half_year%' and month(month) = 6 then 0.866025 else 1 end) as effects, ln(any_value(odds)) as month, any_value(completed_count) as flights
      from raw.route_hours
      inner join marts.delay_effects on key in (
        carrier, origin, dest, origin || carrier, origin || dest, origin || dest || carrier, crs_dep_hour::varchar,
        'S' || crs_dep_hour, carrier || '@' || crs_dep_hour // 3, origin || '@' || crs_dep_hour // 2,
        dest || '@' || crs_dep_hour // 3, origin || dest || carrier || '@' || crs_dep_hour // 4,
        origin || '@S' || crs_dep_hour // 3)
      inner join marts.season_odds on season_odds.kind = 'month' and level = month(month)
      where month > date '2017-07-01'
      group by carrier`,
  );
  t.is(expected.length, 2);
  const delays = expected.reduce(
    (sum, { effects, month, flights }) =>
      sum + flights * expit((level?.log_odds ?? 0) + effects + month),
    0,
  );
  t.true(Math.abs(delays - 1200) < 12, String(delays));
  t.true(Math.abs((level?.delayed_rate ?? 0) - 1200 / 9000) < 1e-4);
});

test('newest months of only a few airports do not set the overall level', async (t) => {
  const country = ['01', '02', '03', '04', '05', '06'].map((month) =>
    aRouteHour({
      month: `2018-${month}-01`,
      carrier: 'AA',
      flight_count: 9000,
      delayed_count: 900,
    }),
  );
  const part = aRouteHour({ month: '2024-06-01', flight_count: 1000, delayed_count: 400 });
  const db = await buildWarehouse(t, { routeHours: [...country, part] });
  const [level] = await db.rows<Level>(LEVEL);
  // In 2024, 400 of 1,000 flights are late. Older months with 900 of 9,000 are added until three quarters of 54,000
  // flights are included.
  t.is(level?.delayed_rate.toFixed(4), (4900.5 / 46001).toFixed(4));
});

test('the level row counts days with dated flights, and exists for a history without delays', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [aRouteHour({ flight_count: 100 })],
    airportDays: [['2018-07-03', 'JFK', 100, 10]],
  });
  const [level] = await db.rows<Level>(LEVEL);
  t.is(Number(level?.calendar_days), 1);
  t.true((level?.log_odds ?? 0) < -3);
  t.true((level?.delayed_rate ?? 0) > 0 && (level?.delayed_rate ?? 1) < 0.05);
});

import test, { type ExecutionContext } from 'ava';
import { buildModels } from '../../warehouse/build.ts';
import { EFFECT_LEVELS, estimateEffects } from '../../warehouse/effects.ts';
import { readTraining } from '../../warehouse/training.ts';
import { aRouteHour, builtWith, warehouseWith, type RouteHour } from '../helpers/warehouse.ts';

/** Two airlines at the same hour: DL late one time in ten, B6 three times. */
const TWO_AIRLINES = [
  aRouteHour({ flight_count: 10_000, delayed_count: 1000 }),
  aRouteHour({ carrier: 'B6', flight_count: 10_000, delayed_count: 3000 }),
];

async function effectsOf(t: ExecutionContext, routeHours: RouteHour[]) {
  const db = await builtWith(t, { routeHours });
  const rows = await db.rows<{ kind: string; key: string; effect: number }>(
    'select kind, key, effect from marts.delay_effects order by kind, key',
  );
  return new Map(rows.map(({ kind, key, effect }) => [`${kind} ${key}`, effect]));
}

test('every level has the groups of its flights, keyed by codes and blocks of hours', async (t) => {
  const effects = await effectsOf(t, [aRouteHour({ crs_dep_hour: 19, delayed_count: 1 })]);
  t.deepEqual(
    EFFECT_LEVELS.map(({ kind }) => [...effects.keys()].find((key) => key.startsWith(`${kind} `))),
    [
      'hour 19',
      'carrier DL',
      'origin JFK',
      'dest LAX',
      'origin_carrier JFKDL',
      'route JFKLAX',
      'route_carrier JFKLAXDL',
      'carrier_hours DL@6',
      'origin_hours JFK@9',
      'dest_hours LAX@6',
      'route_carrier_hours JFKLAXDL@4',
    ],
  );
});

test('an effect compares with the month, pulled by 50 delays that were expected and came', async (t) => {
  const effects = await effectsOf(t, TWO_AIRLINES);
  // 2000 late expected of each.
  t.true(Math.abs((effects.get('carrier B6') ?? 0) - Math.log(3050 / 2050)) < 1e-3);
  t.true(Math.abs((effects.get('carrier DL') ?? 0) - Math.log(1050 / 2050)) < 1e-3);
  t.true(Math.abs(effects.get('origin JFK') ?? 1) < 0.05);
});

test('a bad month is no fault of the airline that flew in it', async (t) => {
  const effects = await effectsOf(t, [
    aRouteHour({ month: '2018-06-01', carrier: 'B6', flight_count: 10_000, delayed_count: 4000 }),
    aRouteHour({ month: '2018-07-01', carrier: 'DL', flight_count: 10_000, delayed_count: 1000 }),
  ]);
  t.true(Math.abs(effects.get('carrier B6') ?? 1) < 1e-3);
  t.true(Math.abs(effects.get('carrier DL') ?? 1) < 1e-3);
});

test('flights without an hour have the effects that need none', async (t) => {
  const effects = await effectsOf(t, [aRouteHour({ crs_dep_hour: null, delayed_count: 1 })]);
  t.true(effects.has('route_carrier JFKLAXDL'));
  t.false([...effects.keys()].some((key) => key.includes('hour')));
});

test('a training row has the effects of all months but its own', async (t) => {
  const hourEffectOf = async (juneDelayed: number, julyDelayed: number) => {
    const db = await warehouseWith(t, {
      routeHours: [
        aRouteHour({ month: '2018-06-01', flight_count: 1000, delayed_count: juneDelayed }),
        aRouteHour({ month: '2018-06-01', crs_dep_hour: 9, flight_count: 1000 }),
        aRouteHour({ month: '2018-07-01', flight_count: 1000, delayed_count: julyDelayed }),
      ],
    });
    await buildModels(db, () => undefined);
    const { columns } = await readTraining(db);
    const july = columns.month_number?.indexOf((2018 - 1970) * 12 + 6) ?? -1;
    return columns.hour_effect?.at(july);
  };
  const effect = await hourEffectOf(100, 50);
  t.is(await hourEffectOf(100, 900), effect);
  t.not(await hourEffectOf(300, 50), effect);
});

test('effects are the same to the last bit whatever the order of the flights', async (t) => {
  const forward = await builtWith(t, { routeHours: TWO_AIRLINES });
  const backward = await builtWith(t, { routeHours: TWO_AIRLINES.toReversed() });
  const all = 'select * from marts.delay_effects order by kind, key';
  await estimateEffects(forward);
  t.deepEqual(await forward.rows(all), await backward.rows(all));
});

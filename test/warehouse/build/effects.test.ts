import test, { type ExecutionContext } from 'ava';
import { buildModels } from '../../../warehouse/build/build.ts';
import { FLIGHT_KINDS } from '../../../warehouse/store/effect-kinds.ts';
import { estimateEffects } from '../../../warehouse/build/effects.ts';
import { readTrainingData } from '../../../warehouse/build/training-rows.ts';
import {
  aRouteHour,
  buildWarehouse,
  createWarehouse,
  type RouteHour,
} from '../../helpers/warehouse.ts';

/** Two airlines at the same hour: one in ten flights of DL is late, and three in ten flights of B6. */
const TWO_AIRLINES = [
  aRouteHour({ flight_count: 10_000, delayed_count: 1000 }),
  aRouteHour({ carrier: 'B6', flight_count: 10_000, delayed_count: 3000 }),
];

async function effectsOf(t: ExecutionContext, routeHours: RouteHour[]) {
  const db = await buildWarehouse(t, { routeHours });
  const rows = await db.rows<{ kind: string; key: string; effect: number }>(
    'select kind, key, effect from marts.delay_effects order by kind, key',
  );
  return new Map(rows.map(({ kind, key, effect }) => [`${kind} ${key}`, effect]));
}

test('every kind has groups of its flights, keyed by codes and blocks of hours', async (t) => {
  const effects = await effectsOf(t, [aRouteHour({ crs_dep_hour: 19, delayed_count: 1 })]);
  t.deepEqual(
    FLIGHT_KINDS.map(({ kind }) => [...effects.keys()].find((key) => key.startsWith(`${kind} `))),
    [
      'hour 19',
      'half_year_hour S19',
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
      'origin_half_year_hours JFK@S6',
    ],
  );
});

test('a few flights move their effects little, as if 50 more delays were both expected and observed', async (t) => {
  const effects = await effectsOf(t, [
    aRouteHour({ flight_count: 10_000, delayed_count: 2000 }),
    aRouteHour({ carrier: 'B6', flight_count: 10, delayed_count: 10 }),
  ]);
  // 2 of the 10 flights are expected to be late.
  t.true(Math.abs((effects.get('carrier B6') ?? 0) - Math.log(60 / 52)) < 0.03);
});

test('in the record of another provider, the same flights move an effect more', async (t) => {
  const db = await createWarehouse(t, {
    routeHours: [
      aRouteHour({ flight_count: 10_000, delayed_count: 2000 }),
      aRouteHour({ carrier: 'CX', flight_count: 10, delayed_count: 10 }),
    ],
  });
  const effectOf = async (provider: string) => {
    await db.run('update raw.lake_months set provider = $provider', { provider });
    await buildModels(db, () => undefined);
    const [row] = await db.rows<{ effect: number }>(
      `select effect from marts.delay_effects where kind = 'carrier' and key = 'CX'`,
    );
    return row?.effect ?? Number.NaN;
  };
  const home = await effectOf('bts');
  t.true((await effectOf('hkia')) > 1.2 * home);
  t.is(await effectOf('bts'), home);
});

test('the effects of a flight add up to the lateness of its group', async (t) => {
  const effects = await effectsOf(t, TWO_AIRLINES);
  const rateWithout = (other: string) => {
    const ownEffects = [...effects].filter(([key]) => !key.split(' ')[1]?.includes(other));
    const sum = ownEffects.reduce((all, [, effect]) => all + effect, 0);
    return 1 / (1 + Math.exp(-(Math.log(0.2 / 0.8) + sum)));
  };
  t.true(Math.abs(rateWithout('DL') - 0.3) < 0.01);
  t.true(Math.abs(rateWithout('B6') - 0.1) < 0.01);
});

test('a bad month does not count against the airline that flew in it', async (t) => {
  const effects = await effectsOf(t, [
    aRouteHour({ month: '2018-06-01', carrier: 'B6', flight_count: 10_000, delayed_count: 4000 }),
    aRouteHour({ month: '2018-07-01', carrier: 'DL', flight_count: 10_000, delayed_count: 1000 }),
  ]);
  t.true(Math.abs(effects.get('carrier B6') ?? 1) < 1e-3);
  t.true(Math.abs(effects.get('carrier DL') ?? 1) < 1e-3);
});

test('a route without hours is not blamed for the usual evening delays of its airport', async (t) => {
  const evenings = (origin: string) => [
    aRouteHour({
      origin,
      dest: 'ORD',
      crs_dep_hour: 20,
      flight_count: 10_000,
      delayed_count: 3000,
    }),
  ];
  const mornings = (origin: string) => [
    aRouteHour({ origin, dest: 'ORD', crs_dep_hour: 7, flight_count: 10_000, delayed_count: 1000 }),
  ];
  const unknown = { dest: 'DFW', crs_dep_hour: null, flight_count: 1000, delayed_count: 200 };
  const effects = await effectsOf(t, [
    ...evenings('JFK'),
    ...mornings('LAX'),
    aRouteHour({ ...unknown, origin: 'JFK' }),
    aRouteHour({ ...unknown, origin: 'LAX' }),
  ]);
  const jfk = effects.get('route JFKDFW') ?? 0;
  t.true(
    jfk < (effects.get('route LAXDFW') ?? 0),
    'the JFK flights leave in the evening, so the same delays are less of an excess',
  );
});

test('flights without an hour have only effects that need no hour', async (t) => {
  const effects = await effectsOf(t, [aRouteHour({ crs_dep_hour: null, delayed_count: 1 })]);
  t.true(effects.has('route_carrier JFKLAXDL'));
  t.false([...effects.keys()].some((key) => key.includes('hour')));
});

test('a forecast row has the effects known before its quarter, a served row the effects of all months', async (t) => {
  const julyEffects = async (delayed: { april: number; june: number; july: number }) => {
    const db = await createWarehouse(t, {
      routeHours: [
        aRouteHour({ month: '2018-04-01', flight_count: 1000, delayed_count: delayed.april }),
        aRouteHour({ month: '2018-04-01', crs_dep_hour: 9, flight_count: 1000 }),
        aRouteHour({ month: '2018-06-01', flight_count: 1000, delayed_count: delayed.june }),
        aRouteHour({ month: '2018-07-01', flight_count: 1000, delayed_count: delayed.july }),
      ],
    });
    await buildModels(db, () => undefined);
    const { columns } = await readTrainingData(db);
    const july = (isForecast: number) =>
      columns.month_number?.findIndex(
        (month, row) =>
          month === (2018 - 1970) * 12 + 6 && columns.is_forecast?.[row] === isForecast,
      ) ?? -1;
    return { forecast: columns.hour_effect?.at(july(1)), served: columns.hour_effect?.at(july(0)) };
  };
  const { forecast, served } = await julyEffects({ april: 100, june: 60, july: 50 });
  const later = await julyEffects({ april: 100, june: 600, july: 900 });
  t.is(later.forecast, forecast);
  t.not(later.served, served);
  const before = await julyEffects({ april: 300, june: 60, july: 50 });
  t.not(before.forecast, forecast);
});

test('effects are bit-identical for any order of the flights', async (t) => {
  const forward = await buildWarehouse(t, { routeHours: TWO_AIRLINES });
  const backward = await buildWarehouse(t, { routeHours: TWO_AIRLINES.toReversed() });
  const all = 'select * from marts.delay_effects order by kind, key';
  await estimateEffects(forward);
  t.deepEqual(await forward.rows(all), await backward.rows(all));
});

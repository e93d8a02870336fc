import test from 'ava';
import type { Database } from '../../../../warehouse/connect.ts';
import { aRouteHour, buildWarehouse } from '../../../helpers/warehouse.ts';

async function effectOf(db: Database, step: string, name: string): Promise<number | undefined> {
  const [row] = await db.rows<{ effect: number }>(
    `select effect from marts.outcome_effects where step = $step and kind || ' ' || key = $name`,
    { step, name },
  );
  return row?.effect;
}

/** 1,000 flights, 200 of them late. Of the late flights, `over120` are more than two hours late. */
const lateFlights = (carrier: string, over120: number) =>
  aRouteHour({
    carrier,
    flight_count: 1_000,
    delayed_count: 200,
    delayed60_count: 110,
    delayed120_count: over120,
  });

test('the airline whose late flights are later has the larger effect', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [lateFlights('DL', 90), lateFlights('AA', 20)],
  });
  const [late, early] = [
    await effectOf(db, 'late120', 'carrier DL'),
    await effectOf(db, 'late120', 'carrier AA'),
  ];
  t.true((late ?? 0) > 0 && (early ?? 0) < 0, `${late} ${early}`);
  t.true((late ?? 0) - (early ?? 0) > 0.3, `${late} ${early}`);
});

test('a source that does not count flights over 180 minutes informs only the other steps', async (t) => {
  const counted = { ...lateFlights('DL', 50), delayed180_count: 40, delayed360_count: 10 };
  const db = await buildWarehouse(t, { routeHours: [counted, lateFlights('AA', 50)] });
  t.true((await effectOf(db, 'late120', 'carrier AA')) !== undefined);
  t.deepEqual(
    await db.rows(`select key from marts.outcome_effects where step = 'late180' and kind = 'carrier'
      and effect <> 0`),
    [{ key: 'DL' }],
  );
  const level = await effectOf(db, 'late180', 'network ');
  t.true(Math.abs((level ?? 0) - Math.log(0.8 / 0.2)) < 0.2);
});

test('cancellations by hour are relative to the rate of the airline on the route', async (t) => {
  const flights = { flight_count: 2_000, delayed_count: 200 };
  const db = await buildWarehouse(t, {
    routeHours: [
      aRouteHour({ ...flights, crs_dep_hour: 7, cancelled_count: 10 }),
      aRouteHour({ ...flights, crs_dep_hour: 18, cancelled_count: 90 }),
    ],
  });
  const [morning, evening] = [
    await effectOf(db, 'cancelled', 'hour 7'),
    await effectOf(db, 'cancelled', 'hour 18'),
  ];
  t.true((morning ?? 0) < -0.1 && (evening ?? 0) > 0.1);
});

test('without marked diversions the network has a usual rate', async (t) => {
  const db = await buildWarehouse(t, { routeHours: [lateFlights('DL', 50)] });
  const level = (await effectOf(db, 'diverted', 'network ')) ?? 0;
  t.is(Math.round(1e4 / (1 + Math.exp(-level))), 23);
});

test('a step has the level of the network and the effects of every group', async (t) => {
  const flights = { flight_count: 1_000, delayed_count: 200, delayed60_count: 100 };
  const db = await buildWarehouse(t, {
    routeHours: [aRouteHour({ ...flights, delayed120_count: 40 })],
  });
  const rows = await db.rows(
    `select * replace (round(abs(effect), 1) as effect, round(spread, 2) as spread)
     from marts.outcome_effects where step = 'late120' and kind <> 'month' order by kind, key`,
  );
  const effect = (kind: string, key: string) => ({
    ...{ step: 'late120', kind, key },
    ...{ effect: 0, spread: 0.1 },
  });
  t.deepEqual(rows, [
    effect('carrier', 'DL'),
    effect('carrier_distance', 'DL0'),
    effect('carrier_hours', 'DL@2'),
    effect('dest', 'LAX'),
    effect('dest_carrier', 'LAXDL'),
    effect('distance', '0'),
    { ...effect('half_year', 'S'), spread: 0 },
    effect('hour', '8'),
    { ...effect('network', ''), effect: 0.4, spread: 0 },
    effect('origin', 'JFK'),
    effect('origin_carrier', 'JFKDL'),
    effect('origin_hours', 'JFK@2'),
    effect('route', 'JFKLAX'),
    effect('route_carrier', 'JFKLAXDL'),
  ]);
});

test('a month that the history lacks has its usual season', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [lateFlights('DL', 50)].map((row) => ({ ...row, month: '2018-02-01' })),
  });
  const [july, october] = [
    await effectOf(db, 'late60', 'month 7'),
    await effectOf(db, 'late60', 'month 10'),
  ];
  t.true((july ?? 0) > 0.05 && (october ?? 0) < -0.05, `${july} ${october}`);
  const [level, february] = [
    await effectOf(db, 'late60', 'network '),
    await effectOf(db, 'late60', 'month 2'),
  ];
  const share = 1 / (1 + Math.exp(-(level ?? 0) - (february ?? 0)));
  t.true(Math.abs(share - 110 / 200) < 0.01, 'February itself keeps the share of its flights');
});

test('the seasons of the United States do not move to another country', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [{ ...lateFlights('AC', 50), origin: 'YYZ', dest: 'YVR' }],
  });
  t.is(await effectOf(db, 'late60', 'month 7'), 0);
});

test('equal rows in any order give equal effects, to the last bit', async (t) => {
  const routeHours = Array.from({ length: 96 }, (_, at) =>
    aRouteHour({
      month: `${2017 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`,
      flight_count: 1_000 + 37 * at,
      cancelled_count: 3 + ((at * 29) % 41),
      delayed_count: 100 + ((at * 31) % 53),
    }),
  );
  const effects = async (rows: typeof routeHours) => {
    const db = await buildWarehouse(t, { routeHours: rows });
    return db.rows('from marts.outcome_effects');
  };
  const expected = await effects(routeHours);
  t.true(expected.length > 12);
  t.deepEqual(await effects(routeHours.toReversed()), expected);
});

import test, { type ExecutionContext } from 'ava';
import { FLIGHT_KINDS } from '../../../warehouse/store/effect-kinds.ts';
import { readTrainingData } from '../../../warehouse/build/training-rows.ts';
import { aRouteHour, buildWarehouseUpTo, buildWarehouse } from '../../helpers/warehouse.ts';

type Rows = NonNullable<Parameters<typeof buildWarehouse>[1]>;
type Cause = NonNullable<Rows['delayCauses']>[number];

const logit = (p: number) => Math.log(p / (1 - p));
const near = (a: number | undefined, b: number, by: number) => Math.abs((a ?? Infinity) - b) < by;

/** Lists the months of the years, as dates. */
function monthsOf(...years: number[]): string[] {
  return years.flatMap((year) =>
    Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}-01`),
  );
}

/** Delay-cause rows of two airlines at one airport: a million flights each per month, late at the rate of the month. */
function aTable(months: string[], rate: (month: string, carrier: string) => number): Cause[] {
  return months.flatMap((month) =>
    ['AA', 'DL'].map((carrier): Cause => {
      return [month, carrier, 'LAX', 1_000_000, Math.round(1_000_000 * rate(month, carrier))];
    }),
  );
}

async function effectsOf(t: ExecutionContext, rows: Rows) {
  const db = await buildWarehouse(t, rows);
  const effects = await db.rows<{ kind: string; key: string; effect: number }>(
    'select kind, key, effect from marts.delay_effects',
  );
  return new Map(effects.map(({ kind, key, effect }) => [`${kind} ${key}`, effect]));
}

const FLIGHTS_OF_2018 = monthsOf(2018).flatMap((month) =>
  ['AA', 'DL'].map((carrier) =>
    aRouteHour({ month, carrier, flight_count: 10_000, delayed_count: 1000 }),
  ),
);

test('without the table there are no levels, only the effects of flights', async (t) => {
  const effects = await effectsOf(t, { routeHours: FLIGHTS_OF_2018 });
  const kinds = new Set([...effects.keys()].map((key) => key.split(' ')[0]));
  t.is(kinds.size, FLIGHT_KINDS.length);
  t.true(FLIGHT_KINDS.every(({ kind }) => kinds.has(kind)));
});

test('an airline that got worse in the table is expected to be later than in its old record', async (t) => {
  const effects = await effectsOf(t, {
    routeHours: FLIGHTS_OF_2018,
    delayCauses: aTable(monthsOf(2018, 2019, 2020, 2021, 2022, 2023, 2024), (month, carrier) =>
      carrier === 'DL' && month >= '2022' ? 0.3 : 0.15,
    ),
  });
  const levelOf = (carrier: string) =>
    [...effects]
      .filter(([key]) => key.endsWith(` ${carrier}`) || key.endsWith(`LAX${carrier}`))
      .reduce((sum, [, effect]) => sum + effect, 0);
  // The difference is less than the full change, because the current level still includes the better years.
  const apart = levelOf('DL') - levelOf('AA');
  t.true(apart > 0.6 * (logit(0.3) - logit(0.15)), String(apart));
  t.true(apart < logit(0.3) - logit(0.15), String(apart));
});

test('an airport without loaded flights has a level at arrival, and half of it at departure', async (t) => {
  const rate = (_: string, carrier: string) => (carrier === 'AA' ? 0.2 : 0.1);
  const months = monthsOf(2018);
  const otherAirport = months.map((month): Cause => [month, 'AA', 'ORD', 1_000_000, 300_000]);
  const effects = await effectsOf(t, {
    routeHours: FLIGHTS_OF_2018,
    delayCauses: [...aTable(months, rate), ...otherAirport],
  });
  const level = effects.get('dest_level ORD') ?? 0;
  t.true(level > 0.1, String(level));
  t.is(effects.get('origin_level ORD'), level / 2);
});

test('half of the difference between summer and winter enters the levels of an airport', async (t) => {
  const months = monthsOf(2018);
  const isSummer = (month: string) => month >= '2018-04' && month < '2018-10';
  const stormy = months.map((month): Cause => {
    return [month, 'AA', 'ORD', 1_000_000, isSummer(month) ? 300_000 : 100_000];
  });
  const effects = await effectsOf(t, {
    routeHours: FLIGHTS_OF_2018,
    delayCauses: [...aTable(months, () => 0.2), ...stormy],
  });
  const halfYear = (half: string) => effects.get(`dest_half_year_level ORD${half}`) ?? 0;
  const apart = halfYear('S') - halfYear('W');
  const fullDifference = logit(0.3) - logit(0.1);
  // The airport has a third of all traffic, so a third of its change is in the level of the months.
  t.true(
    apart > 0.2 * fullDifference && apart < 0.5 * fullDifference,
    String(apart / fullDifference),
  );
  t.is(effects.get('origin_half_year_level ORDS'), halfYear('S') / 2);
});

test('effects of single months are not served', async (t) => {
  const effects = await effectsOf(t, {
    routeHours: FLIGHTS_OF_2018,
    delayCauses: aTable(monthsOf(2018), () => 0.2),
  });
  t.deepEqual(
    [...effects.keys()].filter((key) => key.includes('2018')),
    [],
  );
});

test('flights newer than the table update its levels', async (t) => {
  const newer = [0.2, 0.4].map((rate, at) =>
    aRouteHour({
      month: '2019-01-01',
      carrier: at === 0 ? 'AA' : 'DL',
      flight_count: 1_000_000,
      delayed15_count: 1_000_000 * rate,
    }),
  );
  const delayCauses = aTable(monthsOf(2018), () => 0.2);
  const apart = async (routeHours: Rows['routeHours']) => {
    const effects = await effectsOf(t, { routeHours: routeHours ?? [], delayCauses });
    return (effects.get('carrier_level DL') ?? 0) - (effects.get('carrier_level AA') ?? 0);
  };
  t.true(near(await apart(FLIGHTS_OF_2018), 0, 1e-6));
  t.true((await apart([...FLIGHTS_OF_2018, ...newer])) > 0.05);
});

const AHEAD = 'select level, season, base from intermediate.int_level_ahead order by level';

test('a season is the difference of a month from its own twelve months, weighted years / (years + 0.3)', async (t) => {
  const rate = (month: string) => (month.endsWith('-07-01') ? 0.3 : 0.2);
  const db = await buildWarehouseUpTo('marts/season_odds')(t, {
    delayCauses: aTable(monthsOf(2018, 2019), rate),
    routeHours: FLIGHTS_OF_2018,
  });
  const ahead = await db.rows<{ level: number; season: number }>(AHEAD);
  const julySeason = (logit(0.3) - logit(0.2)) * (11 / 12) * (2 / 2.3);
  t.is(ahead.length, 12);
  t.true(near(ahead[6]?.season, julySeason, 1e-4));
  t.true(near(ahead[0]?.season, -julySeason / 11, 1e-4));
  const [served] = await db.rows<{ odds: number }>(
    `select odds from marts.season_odds where kind = 'month' and level = 7`,
  );
  t.true(
    near(served?.odds, Math.exp(1.2 * julySeason), 1e-4),
    'served as the odds of being over 30 minutes late',
  );
});

test('months with under four fifths of their former flights count neither in seasons nor in forecasts of levels', async (t) => {
  const calm = aTable(monthsOf(2018, 2019, 2021), () => 0.2);
  const pandemic = monthsOf(2020).map((month): Cause => [month, 'DL', 'LAX', 500_000, 10_000]);
  const db = await buildWarehouseUpTo('intermediate/int_level_ahead')(t, {
    delayCauses: [...calm, ...pandemic],
    routeHours: FLIGHTS_OF_2018,
  });
  for (const { season, base } of await db.rows<{ season: number; base: number }>(AHEAD)) {
    t.true(near(season, 0, 1e-6));
    t.true(near(base, logit(0.2), 1e-5));
  }
});

test('training rows have the difference in lateness between their month and now', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: FLIGHTS_OF_2018,
    delayCauses: aTable(monthsOf(2018, 2019, 2020, 2021), (month) => (month < '2019' ? 0.3 : 0.2)),
  });
  const { columns } = await readTrainingData(db);
  const [ahead] = await db.rows<{ base: number }>(AHEAD);
  const expected = 1.2 * (logit(0.3) - (ahead?.base ?? 0));
  const served = [...(columns.level_shift ?? [])].filter(
    (_, at) => columns.is_forecast?.[at] === 0,
  );
  t.is(served.length, 24);
  t.true(served.every((shift) => near(shift, expected, 1e-3)));
  t.true(expected > 0.3);
});

import test, { type ExecutionContext } from 'ava';
import { FLIGHT_KINDS } from '../../../warehouse/store/effect-kinds.ts';
import { readTraining } from '../../../warehouse/build/training-rows.ts';
import { aRouteHour, builtUpTo, builtWith } from '../../helpers/warehouse.ts';

type Rows = NonNullable<Parameters<typeof builtWith>[1]>;
type Cause = NonNullable<Rows['delayCauses']>[number];

const logit = (p: number) => Math.log(p / (1 - p));
const near = (a: number | undefined, b: number, by: number) => Math.abs((a ?? Infinity) - b) < by;

/** The months of the years, as dates. */
function monthsOf(...years: number[]): string[] {
  return years.flatMap((year) =>
    Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}-01`),
  );
}

/** Two airlines at one airport, a million flights each month, late as the month says. */
function aTable(months: string[], rate: (month: string, carrier: string) => number): Cause[] {
  return months.flatMap((month) =>
    ['AA', 'DL'].map((carrier): Cause => {
      return [month, carrier, 'LAX', 1_000_000, Math.round(1_000_000 * rate(month, carrier))];
    }),
  );
}

async function effectsOf(t: ExecutionContext, rows: Rows) {
  const db = await builtWith(t, rows);
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

test('without the table there are no levels, and effects are those of the flights', async (t) => {
  const effects = await effectsOf(t, { routeHours: FLIGHTS_OF_2018 });
  const kinds = new Set([...effects.keys()].map((key) => key.split(' ')[0]));
  t.is(kinds.size, FLIGHT_KINDS.length);
  t.true(FLIGHT_KINDS.every(({ kind }) => kinds.has(kind)));
});

test('an airline that got worse is worse than its old record, by what the table says', async (t) => {
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
  // Not the whole of it: what is known now holds a memory of the better years.
  const apart = levelOf('DL') - levelOf('AA');
  t.true(apart > 0.6 * (logit(0.3) - logit(0.15)), String(apart));
  t.true(apart < logit(0.3) - logit(0.15), String(apart));
});

test('an airport of arrival has its level where nothing was flown, and half of it at departure', async (t) => {
  const rate = (_: string, carrier: string) => (carrier === 'AA' ? 0.2 : 0.1);
  const months = monthsOf(2018);
  const elsewhere = months.map((month): Cause => [month, 'AA', 'ORD', 1_000_000, 300_000]);
  const effects = await effectsOf(t, {
    routeHours: FLIGHTS_OF_2018,
    delayCauses: [...aTable(months, rate), ...elsewhere],
  });
  const level = effects.get('dest_level ORD') ?? 0;
  t.true(level > 0.1, String(level));
  t.is(effects.get('origin_level ORD'), level / 2);
});

test('an airport that is late in summer has another level in winter, by half of what they differ', async (t) => {
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
  const asWas = logit(0.3) - logit(0.1);
  // A third of the traffic is its own, so the level of the months has a third of what it differs.
  t.true(apart > 0.2 * asWas && apart < 0.5 * asWas, String(apart / asWas));
  t.is(effects.get('origin_half_year_level ORDS'), halfYear('S') / 2);
});

test('of single months nothing is served', async (t) => {
  const effects = await effectsOf(t, {
    routeHours: FLIGHTS_OF_2018,
    delayCauses: aTable(monthsOf(2018), () => 0.2),
  });
  t.deepEqual(
    [...effects.keys()].filter((key) => key.includes('2018')),
    [],
  );
});

test('flights newer than the table take its levels on', async (t) => {
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

test('a season is what a month differs from its own twelve, believed by years / (years + 0.3)', async (t) => {
  const rate = (month: string) => (month.endsWith('-07-01') ? 0.3 : 0.2);
  const db = await builtUpTo('marts/season_odds')(t, {
    delayCauses: aTable(monthsOf(2018, 2019), rate),
    routeHours: FLIGHTS_OF_2018,
  });
  const ahead = await db.rows<{ level: number; season: number }>(AHEAD);
  const beyond = (logit(0.3) - logit(0.2)) * (11 / 12) * (2 / 2.3);
  t.is(ahead.length, 12);
  t.true(near(ahead[6]?.season, beyond, 1e-4));
  t.true(near(ahead[0]?.season, -beyond / 11, 1e-4));
  const [served] = await db.rows<{ odds: number }>(
    `select odds from marts.season_odds where kind = 'month' and level = 7`,
  );
  t.true(
    near(served?.odds, Math.exp(1.2 * beyond), 1e-4),
    'served as the odds of being over 30 minutes late',
  );
});

test('months with under four fifths of the flights they once had are left out of seasons and of what is ahead', async (t) => {
  const calm = aTable(monthsOf(2018, 2019, 2021), () => 0.2);
  const pandemic = monthsOf(2020).map((month): Cause => [month, 'DL', 'LAX', 500_000, 10_000]);
  const db = await builtUpTo('intermediate/int_level_ahead')(t, {
    delayCauses: [...calm, ...pandemic],
    routeHours: FLIGHTS_OF_2018,
  });
  for (const { season, base } of await db.rows<{ season: number; base: number }>(AHEAD)) {
    t.true(near(season, 0, 1e-6));
    t.true(near(base, logit(0.2), 1e-5));
  }
});

test('rows to learn from say by how much they were later than such flights are now', async (t) => {
  const db = await builtWith(t, {
    routeHours: FLIGHTS_OF_2018,
    delayCauses: aTable(monthsOf(2018, 2019, 2020, 2021), (month) => (month < '2019' ? 0.3 : 0.2)),
  });
  const { columns } = await readTraining(db);
  const [ahead] = await db.rows<{ base: number }>(AHEAD);
  const expected = 1.2 * (logit(0.3) - (ahead?.base ?? 0));
  const served = [...(columns.level_shift ?? [])].filter(
    (_, at) => columns.is_forecast?.[at] === 0,
  );
  t.is(served.length, 24);
  t.true(served.every((shift) => near(shift, expected, 1e-3)));
  t.true(expected > 0.3);
});

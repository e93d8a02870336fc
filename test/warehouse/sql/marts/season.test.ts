import test from 'ava';
import { aRouteHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

const builtWith = buildWarehouseUpTo('marts/season_odds');

test('a month with more delays than expected of its flights has odds above 1', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ month: '2018-07-01', flight_count: 10_000, delayed_count: 2000 }),
      aRouteHour({ month: '2018-10-01', flight_count: 10_000, delayed_count: 1000 }),
    ],
  });
  const rows = await db.rows(
    `select level, round(odds, 2) as odds from marts.season_odds where kind = 'month'`,
  );
  // In both cases 14.8 % are expected, and July has the weight 0.917. The actual odds are 0.25 and 0.111, the expected
  // odds 0.173. The result is the square root of each ratio.
  t.deepEqual(rows, [
    { level: 7, odds: 1.2 },
    { level: 10, odds: 0.8 },
  ]);
});

test('a month with only worse routes is an average month', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ month: '2018-07-01', dest: 'SFO', flight_count: 10_000, delayed_count: 3000 }),
      aRouteHour({ month: '2018-10-01', dest: 'LAX', flight_count: 10_000, delayed_count: 1000 }),
    ],
  });
  const rows = await db.rows(
    `select level, round(odds, 2) as odds from marts.season_odds where kind = 'month'`,
  );
  t.deepEqual(rows, [
    { level: 7, odds: 1 },
    { level: 10, odds: 1 },
  ]);
});

test('a weekday that is always worse has higher odds than other weekdays', async (t) => {
  const fridays = ['2018-06-01', '2018-06-08', '2018-06-15', '2018-06-22'];
  const tuesdays = ['2018-06-05', '2018-06-12', '2018-06-19', '2018-06-26'];
  const db = await builtWith(t, {
    airportDays: [
      ...fridays.map((date, i): [string, string, number, number] => [date, 'JFK', 100, 30 + i]),
      ...tuesdays.map((date, i): [string, string, number, number] => [date, 'JFK', 100, 10 + i]),
    ],
  });
  const rows = await db.rows<{ level: number; odds: number }>(
    `select level, odds from marts.season_odds where kind = 'weekday'`,
  );
  t.deepEqual(
    rows.map(({ level, odds }) => [level, odds > 1]),
    [
      [2, false],
      [5, true],
    ],
  );
});

test('weekdays that differ no more than their days are all average', async (t) => {
  const db = await builtWith(t, {
    airportDays: [
      ['2018-06-01', 'JFK', 100, 10],
      ['2018-06-08', 'JFK', 100, 40],
      ['2018-06-05', 'JFK', 100, 38],
      ['2018-06-12', 'JFK', 100, 12],
    ],
  });
  const rows = await db.rows(
    `select level, odds from marts.season_odds where kind = 'weekday' order by level`,
  );
  t.deepEqual(rows, [
    { level: 2, odds: 1 },
    { level: 5, odds: 1 },
  ]);
});

test('months and weekdays of a year have one row per level', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ month: '2018-07-01', flight_count: 100_000, delayed_count: 20_000 }),
      aRouteHour({ month: '2018-10-01', flight_count: 100_000, delayed_count: 10_000 }),
    ],
    airportDays: [
      ['2017-06-25', 'JFK', 1000, 100],
      ['2017-06-26', 'JFK', 1000, 100],
      ['2017-07-02', 'JFK', 1000, 100],
      ['2017-07-03', 'JFK', 1000, 100],
      ['2017-07-04', 'JFK', 1000, 100],
    ],
  });
  t.deepEqual(await db.rows('select * replace (round(odds, 2) as odds) from marts.season_odds'), [
    { kind: 'month', level: 7, odds: 1.2 },
    { kind: 'month', level: 10, odds: 0.8 },
    { kind: 'weekday', level: 1, odds: 1 },
    { kind: 'weekday', level: 2, odds: 1 },
    { kind: 'weekday', level: 7, odds: 1 },
  ]);
});

test('a month with more years of history is shrunk less', async (t) => {
  const oddsOfJuly = async (years: number[]) => {
    const db = await builtWith(t, {
      routeHours: years.flatMap((year) => [
        aRouteHour({ month: `${year}-07-01`, flight_count: 100_000, delayed_count: 20_000 }),
        aRouteHour({ month: `${year}-10-01`, flight_count: 100_000, delayed_count: 10_000 }),
      ]),
    });
    const [row] = await db.rows<{ odds: number }>(
      `select round(odds, 2) as odds from marts.season_odds where kind = 'month' and level = 7`,
    );
    return row?.odds;
  };
  // 1.44 to the power of 1/2 and of 2/3.
  t.is(await oddsOfJuly([2018]), 1.2);
  t.is(await oddsOfJuly([2017, 2018]), 1.28);
});

import test, { type ExecutionContext } from 'ava';
import { buildModels } from '../../../warehouse/build/build.ts';
import type { Database } from '../../../warehouse/connect.ts';
import { exportStore } from '../../../warehouse/store/export.ts';
import { aRouteHour, createWarehouse, type RouteHour } from '../../helpers/warehouse.ts';

const NO_HOUR = { crs_dep_hour: null, flight_count: 1_000 };

/** The counts of 2018 as one row, at its December: three in ten flights of DL are late, and one in ten of B6. */
const YEAR = [
  aRouteHour({ ...NO_HOUR, month: '2018-12-01', delayed_count: 300, cancelled_count: 50 }),
  aRouteHour({ ...NO_HOUR, month: '2018-12-01', carrier: 'B6', delayed_count: 100 }),
];

/** Builds a warehouse in which December 2018 stands for the year. */
async function withYear(t: ExecutionContext, routeHours: RouteHour[]): Promise<Database> {
  const db = await createWarehouse(t, { routeHours });
  await db.run(`update raw.lake_months set period_months = 12 where month = '2018-12-01'`);
  await buildModels(db, () => undefined);
  return db;
}

test('a whole year is neither December nor another month of seasons and records', async (t) => {
  const db = await withYear(t, YEAR);
  t.deepEqual(await db.rows(`from marts.season_odds where kind = 'month'`), []);
  t.deepEqual(await db.rows('from marts.record_cells'), []);
  const effects = await db.rows(
    `select distinct round(effect, 9) as effect from marts.outcome_effects
     where kind = 'half_year' and step <> 'diverted'
       or kind = 'month' and step = 'cancelled'`,
  );
  t.deepEqual(effects, [{ effect: 0 }]);
});

test('a whole year gives the rates of its airline-routes', async (t) => {
  const db = await withYear(t, YEAR);
  const rates = await db.rows<{ carrier: string; rate: number }>(
    `select carrier, flight_count, round(delayed_rate, 2)::double as rate from marts.route_carrier_otp order by 1`,
  );
  t.deepEqual(
    rates.map(({ carrier, rate }) => [carrier, rate]),
    [
      ['B6', 0.1],
      ['DL', 0.31],
    ],
  );
});

test('a year beside months changes neither their seasons nor the effects of half-years', async (t) => {
  const months = Array.from({ length: 12 }, (_, at) =>
    aRouteHour({
      month: `2019-${String(at + 1).padStart(2, '0')}-01`,
      flight_count: 1_000,
      delayed_count: at === 6 ? 400 : 200,
    }),
  );
  const seasons = `select level, round(odds, 2) as odds from marts.season_odds where kind = 'month'`;
  const without = await createWarehouse(t, { routeHours: months });
  await buildModels(without, () => undefined);
  const late = YEAR.slice(0, 1).map((row) => ({
    ...{ ...row, delayed15_count: 900, delayed_count: 900 },
  }));
  const db = await withYear(t, [...months, ...late]);
  const december = await db.rows<{ odds: number }>(`${seasons} and level = 12`);
  const expected = await without.rows<{ odds: number }>(`${seasons} and level = 12`);
  t.true(Math.abs(december[0]!.odds - expected[0]!.odds) < 0.1);
  const [halfYears] = await db.rows<{ most: number }>(
    `select max(effect) as most from marts.delay_effects where kind = 'half_year_hour' and key like 'W%'`,
  );
  t.true(halfYears!.most < 0.1);
});

test('the flights of a year have the age of its middle, and its record begins in January', async (t) => {
  const db = await withYear(t, [...YEAR, aRouteHour({ month: '2019-01-01', carrier: 'AA' })]);
  const [weights] = await db.rows(
    `select round(weight, 2)::double as weight from intermediate.int_month_weights where month = '2018-12-01'`,
  );
  t.deepEqual(weights, { weight: Number((0.5 ** (6 / 24)).toFixed(2)) });
  t.deepEqual(
    await db.rows(`select first_month, last_month from marts.route_records where carrier = 'DL'`),
    [{ first_month: '2018-01-01', last_month: '2018-12-01' }],
  );
  const { manifest } = await exportStore(db, new Date('2026-01-01'));
  t.deepEqual(manifest.years, ['2018']);
  t.is(manifest.months.length, 13);
  t.is(manifest.months[0], '2018-01');
  t.is(manifest.inferred, undefined);
  await db.run('update raw.lake_months set inferred_minutes = [180, 360]');
  const other = await exportStore(db, new Date('2026-01-01'));
  t.deepEqual(
    other.manifest.inferred?.map(({ minutes, of }) => [minutes, of]),
    [
      [180, 30],
      [360, 30],
    ],
  );
});

import test from 'ava';
import type { ExecutionContext } from 'ava';
import { buildModel } from '../../../../warehouse/build/build.ts';
import { listModelsFor } from '../../../../warehouse/build/models.ts';
import { createWarehouse } from '../../../helpers/warehouse.ts';

const EVIDENCE = { country_code: 'US', series: 'test', variance: 0.01 };

/** Returns the evidence for a day in each year from 2015 on, with these log-odds. */
function years(holiday: string, days: number, month: string, logOdds: number[]) {
  return logOdds.map((log_odds, at) => ({
    ...EVIDENCE,
    holiday,
    days,
    flight_date: `${2015 + at}-${month}`,
    log_odds,
  }));
}

type Rows = Parameters<typeof createWarehouse>[1];

async function built(t: ExecutionContext, evidence: ReturnType<typeof years>, rows: Rows = {}) {
  const db = await createWarehouse(t, { holidays: HOLIDAYS, ...rows });
  for (const { country_code, holiday, days, flight_date, series, log_odds, variance } of evidence) {
    await db.run(
      `insert into reference.holiday_evidence values
        ($country_code, $holiday, $days, $flight_date::date, $series, $log_odds, $variance)`,
      { country_code, holiday, days, flight_date, series, log_odds, variance },
    );
  }
  for (const model of listModelsFor('marts/holiday_days')) await buildModel(db, model);
  return db;
}

const HOLIDAYS: [string, string, string][] = [
  ['US', '2026-11-26', 'Thanksgiving Day'],
  ['US', '2027-11-25', 'Thanksgiving Day'],
  ['US', '2026-12-25', 'Christmas Day'],
  ['US', '2027-12-25', 'Christmas Day'],
];

test('a date belongs to the nearest holiday, and to the coming holiday if two are equally near', async (t) => {
  const db = await built(t, [], {
    holidays: [
      ['US', '2026-12-25', 'first'],
      ['US', '2026-12-29', 'second'],
    ],
  });
  const rows = await db.rows<{ holiday: string; days: number }>(
    'select holiday, days from intermediate.int_holiday_windows order by flight_date',
  );
  t.deepEqual(
    rows.map(({ holiday, days }) => `${holiday} ${days}`),
    [
      ...[-5, -4, -3, -2, -1, 0, 1].map((days) => `first ${days}`),
      ...[-2, -1, 0, 1, 2, 3, 4, 5].map((days) => `second ${days}`),
    ],
  );
});

test('a day that is worse in every year has an effect; a day that is worse in only one year has no effect', async (t) => {
  const db = await built(t, [
    ...years('Thanksgiving Day', 3, '11-29', [0.5, 0.6, 0.5, 0.4]),
    ...years('Thanksgiving Day', -4, '11-22', [2, 0, -0.1, 0.1]),
  ]);
  const rows = await db.rows<{ days: number; year_count: number; mean: number; log_odds: number }>(
    'select days, year_count::integer as year_count, mean, log_odds from marts.holiday_effects',
  );
  t.deepEqual(
    rows.map(({ days, year_count, mean }) => [days, year_count, Number(mean.toFixed(2))]),
    [
      [-4, 4, 0.5],
      [3, 4, 0.5],
    ],
  );
  t.is(rows[0]?.log_odds, 0);
  t.true((rows[1]?.log_odds ?? 0) > 0.3 && (rows[1]?.log_odds ?? 0) < 0.375);
});

test('three quarters of an effect are used, and the fit can measure other shares', async (t) => {
  const db = await built(t, years('Thanksgiving Day', 3, '11-29', [0.5, 0.6, 0.5, 0.4]));
  const used = 'select log_odds from marts.holiday_effects';
  const [served] = await db.rows<{ log_odds: number }>(used);
  await db.run('set variable holiday_share = 1');
  await buildModel(db, 'marts/holiday_effects');
  const [full] = await db.rows<{ log_odds: number }>(used);
  t.true((full?.log_odds ?? 0) > 0.4);
  t.true(Math.abs((served?.log_odds ?? 0) - 0.75 * (full?.log_odds ?? 0)) < 1e-5);
});

test('an effect needs evidence of three years, and series of the same year count as one year', async (t) => {
  const twoYears = years('Thanksgiving Day', 3, '11-29', [0.5, 0.6]);
  const db = await built(t, [
    ...twoYears,
    ...twoYears.map((row) => ({ ...row, series: 'other region' })),
  ]);
  t.deepEqual(await db.rows('select * from marts.holiday_effects'), []);
  t.deepEqual(await db.rows('select * from marts.holiday_days'), []);
});

test('a day has the name of its holiday, and the effects of a month add up to 0', async (t) => {
  const db = await built(t, [
    ...years('Thanksgiving Day', 0, '11-26', [-0.9, -1, -1.1, -1]),
    ...years('Thanksgiving Day', 1, '11-27', [-0.9, -1, -1.1, -1]),
    ...years('Thanksgiving Day', 3, '11-29', [0.5, 0.6, 0.5, 0.4]),
    ...years('Thanksgiving Day', -2, '11-24', [0.5, 0.6, 0.5, 0.4]),
    ...years('Christmas Day', 2, '12-27', [0.9, 1, 1.1, 1]),
    ...years('Christmas Day', -1, '12-24', [0.9, 1, 1.1, 1]),
  ]);
  const named = await db.rows<{ day: string; name: string }>(
    `select strftime(flight_date, '%m-%d') as day, name from marts.holiday_days
     where name <> '' and year(flight_date) = 2026 order by flight_date`,
  );
  t.deepEqual(
    named.map(({ day, name }) => `${day} ${name}`),
    [
      '11-24 Tuesday before Thanksgiving Day',
      '11-26 Thanksgiving Day',
      '11-27 Thanksgiving Friday',
      '11-29 Thanksgiving Sunday',
      '12-24 the day before Christmas Day',
      '12-27 2 days after Christmas Day',
    ],
  );
  const sums = await db.rows<{ month: number; total: number; other: number }>(
    `select month(flight_date)::integer as month, sum(log_odds) as total,
       min(log_odds) filter (name = '') as other
     from marts.holiday_days group by all order by month`,
  );
  t.deepEqual(
    sums.map(({ month, total, other }) => [month, Math.abs(total) < 1e-4, other < 0]),
    [
      [11, true, false],
      [12, true, true],
    ],
  );
});

test('dated flights of the loaded months are evidence for their country', async (t) => {
  const days = [2023, 2024, 2025].flatMap((year) =>
    Array.from({ length: 31 }, (_, at): [string, string, number, number] => {
      const date = `${year}-12-${String(at + 1).padStart(2, '0')}`;
      const usual = 100 + 10 * (at % 3);
      return [date, 'JFK', 1000, at + 1 === 27 ? 400 : usual];
    }),
  );
  const holidays = [2023, 2024, 2025, 2026].map((year): [string, string, string] => [
    'US',
    `${year}-12-25`,
    'Christmas Day',
  ]);
  const db = await built(t, [], { holidays, loadedDays: days });
  const rows = await db.rows<{ days: number }>(
    'select days::integer as days from marts.holiday_effects where log_odds > 0.5',
  );
  t.deepEqual(rows, [{ days: 2 }]);
});

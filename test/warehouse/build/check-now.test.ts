import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseCheckHeader } from '../../../warehouse/build/check-header.ts';
import { findOffendingRows } from '../../../warehouse/build/build.ts';
import { checkNow } from '../../../warehouse/build/check-now.ts';
import { openMigrated } from '../../../warehouse/build/database-file.ts';
import { CHECKS } from '../../../warehouse/build/models.ts';
import { readSql } from '../../../warehouse/connect.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { aRouteHour, createWarehouse, type RouteHour } from '../../helpers/warehouse.ts';

const NOW = new Date('2026-11-01T02:30:00Z');

const findRows = async (t: ExecutionContext, check: string, routeHours: RouteHour[]) => {
  const db = await createWarehouse(t, { routeHours });
  const [one] = await findOffendingRows(db, [check], NOW);
  return one?.rows;
};

test('the header of a check has its severity, its meaning and its bounds', async (t) => {
  const header = parseCheckHeader(
    'some',
    '-- warn: too few\n-- of them\n--   least = 0.5: share\nselect 1',
  );
  t.deepEqual(header, {
    severity: 'warn',
    description: 'too few of them',
    bounds: [{ name: 'least', value: 0.5, meaning: 'share' }],
  });
  t.throws(() => parseCheckHeader('some', 'select 1'), { message: /must start with/ });
  for (const check of CHECKS) {
    const sql = await readSql(`checks/${check}`);
    const bounds = parseCheckHeader(check, sql).bounds.map(({ name }) => name);
    const usedNames = [...sql.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
    t.deepEqual(bounds.toSorted(), [...new Set(usedNames)].toSorted(), check);
  }
});

test('month_airports finds a month with far fewer airports than the month before', async (t) => {
  const rows = ['JFK', 'SFO', 'SEA', 'BOS'].flatMap((origin) => [
    aRouteHour({ month: '2018-06-01', origin }),
    ...(origin === 'JFK' ? [] : [aRouteHour({ month: '2018-07-01', origin })]),
  ]);
  t.deepEqual(await findRows(t, 'month_airports', rows), [
    { month: '2018-07-01', airport_count: 3, previous_count: 4 },
  ]);
  t.deepEqual(await findRows(t, 'month_airports', rows.slice(1)), []);
});

test('a month is compared with the same month of another year, on airline-routes that are in both', async (t) => {
  const july = (year: number, changes: Partial<RouteHour>) =>
    aRouteHour({ month: `${year}-07-01`, flight_count: 20_000, ...changes });
  const lateMonths = [
    july(2016, { delayed_count: 4_000 }),
    july(2017, { delayed_count: 2_000 }),
    july(2018, { delayed_count: 5_000 }),
    july(2018, { origin: 'SEA', flight_count: 90_000 }),
  ];
  t.deepEqual(
    await findRows(t, 'month_against_years', lateMonths),
    [{ month: '2018-07-01', other_month: '2017-07-01', measure: 'late', ratio: 3 }],
    'compared with the nearest year; a route flown in one year only does not count',
  );
  const fewer = [
    july(2017, { flight_count: 50_000, delayed_count: 5_000 }),
    july(2018, { cancelled_count: 30, delayed_count: 2_000 }),
  ];
  const measures = await findRows(t, 'month_against_years', fewer);
  t.deepEqual(
    measures?.map((row) => row['measure']),
    ['volume', 'cancelled'],
  );
});

test('checks run without changing the warehouse, and show the results of the last build', async (t) => {
  const file = path.join(await aFolder(t), 'warehouse.duckdb');
  const db = await openMigrated(file);
  await db.run(`insert into raw.delay_cause_months by name
    select date '2026-01-01' as month, 'x' as source_name, 'x' as source_sha256, 1 as rows_read, 1 as rows_loaded,
      0 as rows_empty, 0 as rows_rejected, 'x' as file_sha256, 'x' as code_version, now() as extracted_at;
    insert into ops.check_results values ('sources_fresh', 'warn', 0, now())`);
  db.close();
  const [fresh] = await checkNow(file, NOW, ['sources_fresh']);
  t.is(fresh?.failuresBefore, 0);
  t.deepEqual(fresh?.rows, [
    { source: 'delay-cause table', last_month: '2026-01-01', months_back: 10 },
  ]);
});

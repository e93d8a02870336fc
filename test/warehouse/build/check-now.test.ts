import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { checkHeader } from '../../../warehouse/build/check-header.ts';
import { findOffending } from '../../../warehouse/build/build.ts';
import { checkNow } from '../../../warehouse/build/check-now.ts';
import { openMigrated } from '../../../warehouse/build/database-file.ts';
import { CHECKS } from '../../../warehouse/build/models.ts';
import { readSql } from '../../../warehouse/connect.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { aRouteHour, warehouseWith, type RouteHour } from '../../helpers/warehouse.ts';

const NOW = new Date('2026-11-01T02:30:00Z');

const found = async (t: ExecutionContext, check: string, routeHours: RouteHour[]) => {
  const db = await warehouseWith(t, { routeHours });
  const [one] = await findOffending(db, [check], NOW);
  return one?.rows;
};

test('the header of a check says what it finds, how grave it is, and from where on', async (t) => {
  const header = checkHeader(
    'some',
    '-- warn: too few\n-- of them\n--   least = 0.5: share\nselect 1',
  );
  t.deepEqual(header, {
    severity: 'warn',
    finds: 'too few of them',
    bounds: [{ name: 'least', value: 0.5, meaning: 'share' }],
  });
  t.throws(() => checkHeader('some', 'select 1'), { message: /must start with/ });
  for (const check of CHECKS) {
    const sql = await readSql(`checks/${check}`);
    const told = checkHeader(check, sql).bounds.map(({ name }) => name);
    const used = [...sql.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
    t.deepEqual(told.toSorted(), [...new Set(used)].toSorted(), check);
  }
});

test('a month from far fewer airports than the one before is found', async (t) => {
  const rows = ['JFK', 'SFO', 'SEA', 'BOS'].flatMap((origin) => [
    aRouteHour({ month: '2018-06-01', origin }),
    ...(origin === 'JFK' ? [] : [aRouteHour({ month: '2018-07-01', origin })]),
  ]);
  t.deepEqual(await found(t, 'month_airports', rows), [
    { month: '2018-07-01', airport_count: 3, previous_count: 4 },
  ]);
  t.deepEqual(await found(t, 'month_airports', rows.slice(1)), []);
});

test('a month is held against the same month of another year, on the airline-routes of both', async (t) => {
  const july = (year: number, changes: Partial<RouteHour>) =>
    aRouteHour({ month: `${year}-07-01`, flight_count: 20_000, ...changes });
  const late = [
    july(2016, { delayed_count: 4_000 }),
    july(2017, { delayed_count: 2_000 }),
    july(2018, { delayed_count: 5_000 }),
    july(2018, { origin: 'SEA', flight_count: 90_000 }),
  ];
  t.deepEqual(
    await found(t, 'month_against_years', late),
    [{ month: '2018-07-01', other_month: '2017-07-01', measure: 'late', ratio: 3 }],
    'of the nearest year; a route that only one has does not count',
  );
  const fewer = [
    july(2017, { flight_count: 50_000, delayed_count: 5_000 }),
    july(2018, { cancelled_count: 30, delayed_count: 2_000 }),
  ];
  const measures = await found(t, 'month_against_years', fewer);
  t.deepEqual(
    measures?.map((row) => row['measure']),
    ['volume', 'cancelled'],
  );
});

test('checks run now on a warehouse that stays as it is, beside those of the last build', async (t) => {
  const file = path.join(await aFolder(t), 'warehouse.duckdb');
  const db = await openMigrated(file);
  await db.run(`insert into raw.delay_cause_months by name
    select date '2026-01-01' as month, 'x' as source_name, 'x' as source_sha256, 1 as rows_read, 1 as rows_loaded,
      0 as rows_empty, 0 as rows_rejected, 'x' as file_sha256, 'x' as code_version, now() as extracted_at;
    insert into ops.check_results values ('sources_fresh', 'warn', 0, now())`);
  db.close();
  const [fresh] = await checkNow(file, NOW, ['sources_fresh']);
  t.is(fresh?.before, 0);
  t.deepEqual(fresh?.rows, [
    { source: 'delay-cause table', last_month: '2026-01-01', months_back: 10 },
  ]);
});

import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseCheckHeader, severityOf } from '../../../warehouse/build/check-header.ts';
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

test('the header of a check has its meaning, a threshold and a reason for each severity, and its bounds', async (t) => {
  const header = parseCheckHeader(
    'some',
    `-- too few
-- of them
--   error: share > 0.5: most
--     are gone
--   warn: any row: look
--   least = 0.5: share
select 1`,
  );
  t.deepEqual(header, {
    description: 'too few of them',
    thresholds: {
      error: { rows: { column: 'share', above: 0.5 }, reason: 'most are gone' },
      warn: { rows: 'any row', reason: 'look' },
    },
    bounds: [{ name: 'least', value: 0.5, meaning: 'share' }],
  });
  t.throws(() => parseCheckHeader('some', '-- few\n--   warn: any row: look\nselect 1'), {
    message:
      'checks/some.sql has no line with the limit for error, such as "--   error: any row: <reason>"',
  });
  for (const check of CHECKS) {
    const sql = await readSql(`checks/${check}`);
    const bounds = parseCheckHeader(check, sql).bounds.map(({ name }) => name);
    const usedNames = [...sql.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
    t.deepEqual(bounds.toSorted(), [...new Set(usedNames)].toSorted(), check);
  }
});

test('a row is an error, a warning or nothing, by the thresholds', (t) => {
  const { thresholds } = parseCheckHeader(
    'some',
    '-- x\n--   error: share > 0.5: a\n--   warn: share > 0.02: b\n',
  );
  const severities = [0.51, 0.5, 0.03, 0.02].map((share) => severityOf({ share }, thresholds));
  t.deepEqual(severities, ['error', 'warn', 'warn', undefined]);
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
  await db.run(`
    insert into ops.check_results values ('history_present', 'error', 0, now())`);
  db.close();
  const [present] = await checkNow(file, NOW, ['history_present']);
  t.is(present?.failuresBefore, 0);
  t.deepEqual(present?.rows, [{ problem: 'no flights in the warehouse' }]);
});

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {
  buildModel,
  buildModels,
  readLastChecks,
  runChecks,
} from '../../../warehouse/build/build.ts';
import { CHECKS, MODELS } from '../../../warehouse/build/models.ts';
import {
  aRouteHour,
  anAirportHour,
  buildWarehouse,
  createWarehouse,
} from '../../helpers/warehouse.ts';

const SQL_DIR = path.join(import.meta.dirname, '../../../warehouse/sql');

test('every model starts with a description of its row, and creates the relation of its name', async (t) => {
  for (const model of MODELS) {
    const sql = await readFile(path.join(SQL_DIR, `${model}.sql`), 'utf8');
    t.regex(sql, /^-- One row/, model);
    t.true(sql.includes(`create or replace table ${model.replace('/', '.')} as`), model);
  }
});

test('every mart has a test that compares whole rows', async (t) => {
  const folder = path.join(import.meta.dirname, '../sql/marts');
  const files = await readdir(folder);
  const tests = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  const marts = MODELS.filter((model) => model.startsWith('marts/'));
  // A test of a mart must contain `select *`, possibly with rounded figures, so that it compares every column.
  const untested = marts.filter((mart) => {
    const wholeRows = new RegExp(`select \\*[^'\`]* from ${mart.replace('/', '[.]')}\\b`);
    return !tests.some((text) => wholeRows.test(text));
  });
  t.deepEqual(untested, []);
});

test('every mart has a check for duplicate keys', async (t) => {
  const db = await buildWarehouse(t);
  const marts = MODELS.filter((model) => model.startsWith('marts/'));
  const names = marts.map((mart) => mart.slice('marts/'.length)).toSorted();
  // Inserts the same row twice; its values do not matter.
  for (const name of [...names, ...names]) {
    await db.run(`insert into marts.${name} default values`);
  }
  const doubled = await db.fileRows<{ mart: string }>('checks/unique_keys');
  t.deepEqual([...new Set(doubled.map(({ mart }) => mart))].toSorted(), names);
});

test('a valid history passes every check', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [aRouteHour({ flight_count: 100, delayed_count: 10, cancelled_count: 2 })],
  });
  await db.run(`insert into reference.airlines values ('DL', 'Delta Air Lines', 'United States')`);
  const results = await runChecks(db, new Date('2018-11-01'));
  t.deepEqual(
    results.filter(({ failures }) => failures > 0),
    [],
  );
  t.is(results.length, CHECKS.length);
});

test('a build without history fails a check', async (t) => {
  const db = await buildWarehouse(t);
  const results = await runChecks(db, new Date('2026-11-01'));
  t.deepEqual(
    results
      .filter(({ check }) => check === 'history_present')
      .map(({ fingerprint: _, ...result }) => result)[0],
    {
      check: 'history_present',
      severity: 'error',
      failures: 1,
    },
  );
});

test('unknown airports, unknown airlines and a collapsed month each give one warning row', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [
      aRouteHour({ month: '2018-06-01', flight_count: 100 }),
      aRouteHour({ month: '2018-07-01', dest: 'QQQ', flight_count: 49 }),
    ],
  });
  const results = await runChecks(db, new Date('2018-11-01'));
  t.deepEqual(
    results.flatMap(({ check, severity, failures }) =>
      failures > 0 ? [[check, severity, failures]] : [],
    ),
    [
      ['known_airlines', 'warn', 1],
      ['known_airports', 'warn', 1],
      ['month_volume', 'warn', 1],
    ],
  );
});

test('impossible counts stop the publish', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [aRouteHour({ flight_count: 10, completed_count: 9, cancelled_count: 5 })],
  });
  const results = await runChecks(db, new Date('2026-11-01'));
  t.deepEqual(
    results.flatMap(({ check, severity, failures }) =>
      severity === 'error' && failures > 0 ? [[check, failures]] : [],
    ),
    [['route_carrier_otp_rates', 1]],
  );
});

test('unknown delays and a doubled month each give one warning row; mostly unknown delays stop the publish', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [
      aRouteHour({ month: '2026-02-01', flight_count: 100, completed_count: 98 }),
      aRouteHour({ month: '2026-03-01', flight_count: 201, completed_count: 196 }),
    ],
  });
  await db.run(`insert into reference.airlines values ('DL', 'Delta Air Lines', 'United States')`);
  const findings = async () => {
    const results = await runChecks(db, new Date('2026-10-01'));
    return results.flatMap(({ check, severity, failures }) =>
      failures > 0 ? [`${severity} ${check} ${failures}`] : [],
    );
  };
  t.deepEqual(await findings(), ['warn known_delays 1', 'warn month_volume 1']);
  await db.run(`update raw.route_hours set completed_count = 90 where month = '2026-03-01'`);
  t.deepEqual(await findings(), ['error known_delays 1', 'warn month_volume 1']);
});

const SPOILED = {
  rates_range: 'update marts.group_rates set delayed_rate = null where kind = $kind',
  route_carrier_otp_rates: 'update marts.route_carrier_otp set cancelled_rate = null',
  season_odds_range: `update marts.season_odds set odds = 'inf'::double where level = 7 and kind = 'month'`,
  unique_keys: 'insert into marts.route_otp from marts.route_otp',
  record_cells_range: `update marts.record_cells set slot = 36 where kind = 'route' and slot = 6`,
  comparisons_range: `insert into marts.comparisons values ('carrier', 'DL', 200, 1, 200, null, 0.1)`,
  congestion_range:
    'update marts.airport_day_congestion set congestion = null where month_of_year = 7',
};

for (const [check, spoil] of Object.entries(SPOILED)) {
  test(`${check} stops the publish of impossible values and nulls`, async (t) => {
    const db = await buildWarehouse(t, {
      routeHours: [aRouteHour()],
      airportHours: [anAirportHour()],
    });
    await db.run(spoil, { kind: 'carrier' });
    const results = await runChecks(db, new Date('2018-11-01'));
    t.deepEqual(
      results.flatMap((one) => (one.severity === 'error' && one.failures > 0 ? [one.check] : [])),
      check === 'unique_keys' ? ['marts_keep_every_flight', check] : [check],
    );
  });
}

test('flights missing from a mart stop the publish', async (t) => {
  const db = await buildWarehouse(t, { routeHours: [aRouteHour({ flight_count: 10 })] });
  await db.run('delete from marts.route_otp');
  const results = await runChecks(db, new Date('2026-11-01'));
  t.like(
    results.find(({ check }) => check === 'marts_keep_every_flight'),
    {
      severity: 'error',
      failures: 1,
    },
  );
});

test('an interrupted build leaves no passed checks behind', async (t) => {
  const db = await buildWarehouse(t, { routeHours: [aRouteHour()] });
  await runChecks(db, new Date('2026-11-01'));
  await db.run('drop table raw.airport_days');
  await t.throwsAsync(buildModels(db, () => undefined));
  t.deepEqual(await readLastChecks(db), []);
});

test('the check results of a build replace the results of the build before', async (t) => {
  const db = await createWarehouse(t, { routeHours: [aRouteHour()] });
  for (const model of MODELS) await buildModel(db, model);
  await runChecks(db, new Date('2026-11-01'));
  await runChecks(db, new Date('2026-11-02'));
  const rows = await db.rows('select count(*) as count from ops.check_results');
  t.deepEqual(rows, [{ count: CHECKS.length }]);
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { buildUserModels, withTimeLimit } from '../../../warehouse/build/build-user-sql.ts';
import { runUserChecks } from '../../../warehouse/build/user-checks.ts';
import { describeModels, listColumns } from '../../../warehouse/build/describe.ts';
import { readUserSql } from '../../../warehouse/build/user-sql.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';
import { aRouteHour, buildWarehouseUpTo } from '../../helpers/warehouse.ts';

const NOW = new Date('2018-11-01');
const buildUpToNetwork = buildWarehouseUpTo('marts/network');

/** Writes SQL files, and builds the marts of one route with 5 flights. */
async function aFolder(t: ExecutionContext, files: Record<string, string>) {
  const dir = await tempDir(t);
  const write = async (name: string, sql: string) => {
    const file = join(dir, `${name}.sql`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, sql);
  };
  for (const [name, sql] of Object.entries(files)) await write(name, sql);
  const db = await buildUpToNetwork(t, { routeHours: [aRouteHour()] });
  const build = async () => buildUserModels(db, await readUserSql(dir));
  const check = async () => runUserChecks(db, await readUserSql(dir), NOW);
  return { dir, db, build, check, write };
}

const model = (name: string, query: string) =>
  `-- One row.\ncreate or replace table ${name.replace('/', '.')} as\n${query}\n`;
const CHECK = '-- a row\n--   error: any row: it is wrong\n--   warn: never: no\n';
const WARNING = '-- a row\n--   error: never: no\n--   warn: any row: look\n';

/** Returns the SQL blocks of the page by their label. */
async function sqlOfPage(label: string) {
  const page = await readFile(new URL('../../../docs/warehouse.md', import.meta.url), 'utf8');
  return new RegExp(`\`\`\`sql ${label}\n([^\`]*)\`\`\``).exec(page)?.[1] ?? '';
}

test('the example of docs/warehouse.md works word for word', async (t) => {
  const { db, dir, build, check } = await aFolder(t, {
    'marts/evening_delays': await sqlOfPage('model'),
    'checks/evening_delays_rate': await sqlOfPage('check'),
  });
  // 200 flights in the evening, 150 of them late.
  await db.run(`insert into raw.route_hours by name
    select * replace (20 as crs_dep_hour, 200 as flight_count, 200 as completed_count, 150 as delayed_count)
    from raw.route_hours`);
  t.deepEqual(await build(), { rows: { evening_delays: 1 }, problems: [] });
  t.deepEqual(await db.rows('from marts.evening_delays'), [
    { carrier: 'DL', evening_count: 200, evening_delay_rate: 0.75 },
  ]);
  t.like((await check())[0], { check: 'evening_delays_rate', severity: 'warn', failures: 1 });
  await describeModels(db, (await readUserSql(dir)).models);
  const columns = await listColumns(db);
  t.is(columns.find(({ name }) => name === 'evening_count')?.comment, 'completed flights');
});

test('models are built in the order of their dependencies, and removed with their files', async (t) => {
  const { db, build, write, dir } = await aFolder(t, {
    'marts/a_last': model('marts/a_last', 'select x + 1 as x from intermediate.z_first'),
    'intermediate/z_first': model(
      'intermediate/z_first',
      'select count(*) as x from marts.network;',
    ),
  });
  t.deepEqual(await build(), { rows: { a_last: 1 }, problems: [] });
  t.deepEqual(await db.rows('from marts.a_last'), [{ x: 2 }]);
  await write('marts/a_last', model('marts/a_last', 'select 7 as x'));
  await build();
  t.deepEqual(await db.rows('from marts.a_last'), [{ x: 7 }]);
  t.deepEqual(await buildUserModels(db, await readUserSql(join(dir, 'none'))), {
    rows: {},
    problems: [],
  });
  await t.throwsAsync(db.rows('from marts.a_last'));
  t.is((await db.rows('from marts.network')).length, 1);
});

test('a model that fails is named with its reason, has no table, and stops only models that read it', async (t) => {
  const { db, build, check, write, dir } = await aFolder(t, {
    'marts/broken': model('marts/broken', 'select no_such_column from marts.network'),
    'marts/reader': model('marts/reader', 'from marts.broken'),
    'marts/well': model('marts/well', 'select 1 as x'),
    'checks/of_broken': `${CHECK}from marts.broken`,
    'checks/warn_of_broken': `${WARNING}from marts.broken`,
    'checks/of_well': `${CHECK}from marts.well where x > 1`,
  });
  const { rows, problems } = await build();
  t.deepEqual(rows, { well: 1 });
  const [first, second] = problems;
  t.is(first?.file, join(dir, 'marts', 'broken.sql'));
  t.regex(first?.why ?? '', /^Binder Error: .*no_such_column/);
  t.like(second, { name: 'marts/reader', why: 'it reads marts/broken, which was not built' });
  const [ofBroken, ofWell, warning] = await check();
  t.like(ofBroken, { severity: 'error', failures: 1 });
  t.regex(ofBroken?.problem ?? '', /checks\/of_broken\.sql: Catalog Error/);
  t.deepEqual(ofWell, { check: 'of_well', severity: 'error', failures: 0 });
  t.like(warning, { check: 'warn_of_broken', severity: 'warn', failures: 1 });
  await write('marts/broken', model('marts/broken', 'select 1 as x'));
  t.deepEqual((await build()).problems, []);
  await write('marts/broken', model('marts/broken', 'select y'));
  await build();
  await t.throwsAsync(db.rows('from marts.broken'), { message: /does not exist/ });
});

test('a file cannot take a name of the service, contain another statement, or lack its header', async (t) => {
  const { db, build, check } = await aFolder(t, {
    'marts/network': model('marts/network', 'select 1 as x'),
    'checks/unique_keys': `${CHECK}select 1`,
    'checks/no_header': 'select 1',
    'checks/two': `${CHECK}select 1; drop table marts.network`,
    'checks/change': `${CHECK}delete from marts.network`,
    'marts/other_name': model('marts/network', 'select 1 as x'),
    'marts/two': model('marts/two', 'select 1 as x; drop table marts.network'),
    'marts/change': model('marts/change', 'delete from marts.network returning *'),
    'marts/Big Name': model('marts/big', 'select 1'),
    'marts/no_header': 'create or replace table marts.no_header as select 1 as x',
    'marts/ring': model('marts/ring', 'from marts.round'),
    'marts/round': model('marts/round', 'from marts.ring'),
  });
  const { rows, problems } = await build();
  t.deepEqual(rows, {});
  const whys = Object.fromEntries(problems.map(({ name, why }) => [name, why]));
  t.regex(whys['marts/network'] ?? '', /belongs to the service/);
  t.regex(whys['checks/unique_keys'] ?? '', /belongs to the service/);
  t.regex(whys['checks/no_header'] ?? '', /must begin with a comment/);
  t.regex(whys['marts/other_name'] ?? '', /create or replace table marts\.other_name as/);
  t.is(whys['marts/two'], 'the file must contain exactly one query');
  t.is(whys['marts/change'], 'the file must contain exactly one query');
  t.regex(whys['marts/Big Name'] ?? '', /small letters/);
  t.regex(whys['marts/no_header'] ?? '', /must begin with a comment/);
  t.regex(whys['marts/ring'] ?? '', /read each other in a circle/);
  const results = await check();
  t.deepEqual(
    results.map(({ check: name, severity, problem }) => [name, severity, problem !== undefined]),
    [
      ['change', 'error', true],
      ['two', 'error', true],
    ],
  );
  t.is((await db.rows('from marts.network')).length, 1);
});

test('a query that takes too long is ended', async (t) => {
  const { db } = await aFolder(t, {});
  const slow = () =>
    db.run('select sum(a.range * b.range) from range(1000000) a, range(1000000) b');
  await t.throwsAsync(withTimeLimit(db, slow, 50), { message: /took more than/ });
  t.deepEqual(await db.rows('select 1 as x'), [{ x: 1 }]);
});

test('a query that starts after the time limit is ended', async (t) => {
  const { db } = await aFolder(t, {});
  const late = async () => {
    await sleep(200);
    await db.run('select sum(a.range * b.range) from range(1000000) a, range(1000000) b');
  };
  await t.throwsAsync(withTimeLimit(db, late, 50), { message: /took more than/ });
});

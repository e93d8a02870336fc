import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { fittedTable } from '../../../../jobs/cli/fitted-table.ts';
import { copyForReaders } from '../../../../warehouse/build/read-copy.ts';
import { withWarehouse } from '../../../../warehouse/build/warehouse.ts';
import { openDatabase } from '../../../../warehouse/connect.ts';
import { QueryRefusedError } from '../../../../warehouse/errors.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { queryWarehouse } from '../../../../warehouse/query.ts';
import { aFlight, aFolder, toCsv } from '../../../helpers/flight-files.ts';
import { startNode } from '../../../helpers/start-node.ts';
import { publishedWorld, silent } from '../../helpers/pipeline-world.ts';
import { commandsHere } from '../../helpers/program-here.ts';

const DOCS = readFileSync(new URL('../../../../docs/warehouse.md', import.meta.url), 'utf8');
const CONNECT = path.join(import.meta.dirname, '../../../../warehouse/connect.ts');

/** 200 flights, and one row with an invalid airport. */
const FLIGHTS = toCsv([
  ...Array.from({ length: 200 }, (_, index) => aFlight({ OP_CARRIER_FL_NUM: String(index + 1) })),
  aFlight({ ORIGIN: 'J' }),
]);

/**
 * A published world with a copy of the warehouse for readers. The views of the copy read the lake in the world's
 * folder.
 */
async function aWorld(t: ExecutionContext) {
  const world = await publishedWorld(t, FLIGHTS);
  await withWarehouse(world.paths, async () => undefined);
  await copyForReaders(world.paths);
  return world;
}

test('make sql answers the six questions of docs/warehouse.md', async (t) => {
  const { dataDir, paths } = await aWorld(t);
  const queries = [...DOCS.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, query = '']) => query);
  t.is(queries.length, 6);
  const limits = { maxRows: 200, timeoutMs: 60_000, lakeDir: paths.lakeDir };
  const [flights, routes, incomplete, rejects, runs, checks] = await Promise.all(
    queries.map((query) => queryWarehouse(paths.readFile, query, limits)),
  );
  t.is(flights?.rows.length, 200);
  t.deepEqual(flights?.rows[0]?.slice(0, 4), ['DL', '1', 'LAX', 800]);
  t.deepEqual(routes?.rows, [['JFK', 'LAX', 200, 0, 0]]);
  t.deepEqual(incomplete?.rows, [['2018-07-01', 'partial', null, 1, 1, 1]]);
  t.deepEqual(rejects?.rows, [['flights.csv', 'invalid_origin', 'origin', 1, 'J', 202]]);
  t.deepEqual(
    runs?.rows.map((row) => row.slice(1, 3)),
    ['extract', 'load', 'build', 'publish'].map((step) => [step, 'done']),
    'the copy has the run of the publish that made it',
  );
  t.true((checks?.columns.length ?? 0) > 0);

  const command = commandsHere({ DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:1' });
  const lines = (await command('sql', 'from ops.runs')).out.split('\n');
  t.true(lines.every((line) => line.length <= 120));
  const asCsv = await command('sql', '--csv', `select 1 as n, 'a "b", c' as text, null as none`);
  t.is(asCsv.out, 'n,text,none\n1,"a ""b"", c",\n');
  t.is((await command('sql', '--csv', 'select null as none')).out, 'none\n""\n');
  const { out } = await command('sql', 'describe flights_by_day');
  t.regex(out, /^main\.flights_by_day: One row per flight_date/);
  t.regex(out, /flight_date +│ date +│ local date at the airport of departure/);
  t.regex((await command('sql', 'show tables')).out, /│ flights +│ One row per flight of the lake/);
  await t.throwsAsync(
    queryWarehouse(paths.warehouseFile, `from read_text('/etc/hostname')`, limits),
    {
      instanceOf: QueryRefusedError,
      message: /\/etc\/hostname is not in this lake/,
    },
  );
  const writing = "copy (select 1) to '/tmp/x.csv'";
  await t.throwsAsync(queryWarehouse(paths.warehouseFile, writing, limits), {
    instanceOf: QueryRefusedError,
    message: /^only SELECT is allowed/,
  });
  await t.throwsAsync(queryWarehouse(paths.warehouseFile, 'describe nothing', limits), {
    instanceOf: QueryRefusedError,
  });
});

test('a view over the lake follows the lake, and is empty without files', async (t) => {
  const { paths, steps } = await aWorld(t);
  const limits = { maxRows: 9, timeoutMs: 60_000, lakeDir: paths.lakeDir };
  const counts = async () =>
    (
      await queryWarehouse(
        paths.warehouseFile,
        'select (select count(*) from flights), (select count(*) from rejects)',
        limits,
      )
    ).rows;
  t.deepEqual(await counts(), [[200, 1]]);
  await steps.dropMonth({ month: '2018-07', tree: 'flights' }, silent);
  t.deepEqual(await counts(), [[0, 0]]);
});

test('while a process uses the warehouse, queries read the copy, and a waiting job names the process', async (t) => {
  const { dataDir, paths } = await aWorld(t);
  const gone = path.join(dataDir, 'gone');
  await startNode(
    t,
    `const { existsSync } = await import('node:fs');
     const { openDatabase } = await import(${JSON.stringify(CONNECT)});
     const db = await openDatabase({ path: ${JSON.stringify(paths.warehouseFile)} });
     console.log('open');
     const look = setInterval(() => {
       if (!existsSync(${JSON.stringify(gone)})) return;
       clearInterval(look);
       db.close();
     }, 50);`,
  );
  const command = commandsHere({ DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:1' });
  const { out, err } = await command('sql', 'select count(*) as flights from flights');
  t.regex(out, /│ 200 +│/);
  t.regex(err, /^A job is using the warehouse; the result is from the copy of /);
  const holders: string[] = [];
  await withWarehouse(paths, async () => undefined, {
    onWait: (name) => {
      holders.push(name);
      writeFileSync(gone, '');
    },
  });
  t.regex(holders[0] ?? '', /^node \(process \d+\)$/);
});

test('a reader keeps its open copy while publishes replace it, and each new copy is complete', async (t) => {
  const paths = dataPaths(await aFolder(t));
  await withWarehouse(paths, async () => undefined);
  await copyForReaders(paths);
  const open = await openDatabase({ path: paths.readFile, readOnly: true, threads: 1 });
  t.teardown(() => open.close());
  for (let night = 1; night <= 20; night++) {
    const db = await openDatabase({ path: paths.warehouseFile, threads: 1 });
    await db.run(
      `insert into ops.runs (run_id, step, outcome, started_at, finished_at)
       values ($night, 'publish', 'done', now(), now())`,
      { night: `night-${night}` },
    );
    db.close();
    await copyForReaders(paths);
    const fresh = await openDatabase({ path: paths.readFile, readOnly: true, threads: 1 });
    t.is((await fresh.rows('from runs')).length, night);
    t.is((await fresh.rows('from flights')).length, 0);
    fresh.close();
    t.is((await open.rows('from runs')).length, 0);
  }
});

test('a table fits the width: text is cut, broken into lines, or each row becomes a block', (t) => {
  const cut = fittedTable(['id', 'text'], [['1', 'x'.repeat(50)]], { width: 30 });
  t.true(cut.isCut);
  t.true(cut.text.split('\n').every((line) => line.length <= 30));
  const wrapped = fittedTable(['id', 'text'], [['1', 'some words '.repeat(5)]], {
    width: 30,
    wraps: true,
  });
  t.false(wrapped.isCut);
  t.true(wrapped.text.split('\n').length > 5);
  const many = Array.from({ length: 12 }, (_, index) => `column_${index}`);
  const blocks = fittedTable(many, [many], { width: 60 });
  t.is(blocks.text.split('\n')[1], 'column_0   column_0');
  t.false(fittedTable(['id'], [['1']], { width: 60 }).isCut);
});

import { existsSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../warehouse/connect.ts';
import { QueryRefusedError, WarehouseBusyError } from '../../warehouse/errors.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { queryWarehouse } from '../../warehouse/query.ts';
import { withWarehouse } from '../../warehouse/build/warehouse.ts';
import { startNode } from '../helpers/start-node.ts';
import { aFolder } from '../helpers/flight-files.ts';

const CONNECT = path.join(import.meta.dirname, '../../warehouse/connect.ts');
const LIMITS = { maxRows: 3, timeoutMs: 5_000 };

async function aWarehouse(t: ExecutionContext) {
  const folder = await aFolder(t);
  const file = path.join(folder, 'warehouse.duckdb');
  const db = await openDatabase({ path: file });
  await db.run(`create schema marts; create table marts.network as
    select 12345678901234567890::hugeint as big, date '2018-07-04' as day, null as nothing`);
  db.close();
  return { file, folder, run: (sql: string) => queryWarehouse(file, sql, LIMITS) };
}

test('a query returns columns and rows; numbers too large for JavaScript and dates are text', async (t) => {
  const { run } = await aWarehouse(t);
  t.deepEqual(await run('from marts.network'), {
    columns: ['big', 'day', 'nothing'],
    rows: [['12345678901234567890', '2018-07-04', null]],
    isTruncated: false,
  });
  t.is((await run('explain from marts.network')).rows.length, 1);
  t.is((await run('describe marts.network')).rows.length, 3);
});

test('a long result is truncated and marked as truncated', async (t) => {
  const { run } = await aWarehouse(t);
  const { rows, isTruncated } = await run('select i from range(4) as numbers(i)');
  t.deepEqual(rows, [[0], [1], [2]]);
  t.true(isTruncated);
  t.false((await run('select i from range(3) as numbers(i)')).isTruncated);
});

test('a query cannot change the warehouse, and cannot read or write any other file', async (t) => {
  const { run, folder } = await aWarehouse(t);
  const out = path.join(folder, 'out');
  const refused = [
    `insert into marts.network values (1, null, null)`,
    `create temp table copy as from marts.network`,
    `drop table marts.network`,
    `copy marts.network to '${out}.csv'`,
    `copy (select 1) to '${out}.parquet' (format parquet)`,
    `export database '${out}'`,
    `attach '${out}.duckdb' as other`,
    `select * from read_text('${folder}/warehouse.duckdb')`,
    `select * from read_csv('/etc/hostname')`,
    `install httpfs`,
    `load json`,
    `set enable_external_access = true`,
    `set lock_configuration = false`,
    `call pragma_version()`,
    `checkpoint`,
    `select 1; select 2`,
    ``,
  ];
  for (const sql of refused) await t.throwsAsync(run(sql), undefined, sql);
  t.false(['.csv', '.parquet', '.duckdb', ''].some((end) => existsSync(`${out}${end}`)));
  t.is((await run('from marts.network')).rows.length, 1);
});

test('a view on the old folder of a moved lake fails with a remedy', async (t) => {
  const { run } = await aWarehouse(t);
  await t.throwsAsync(run(`from read_csv('/before/lake/flights/a.csv')`), {
    instanceOf: QueryRefusedError,
    message:
      /^\/before\/lake\/flights\/a\.csv is not in this lake; if DATA_DIR was moved, run make features/,
  });
});

test('a query that takes too long is stopped', async (t) => {
  const { file } = await aWarehouse(t);
  const endless = 'select sum(a.i * b.i) from range(1000000) as a(i), range(1000000) as b(i)';
  await t.throwsAsync(queryWarehouse(file, endless, { maxRows: 1, timeoutMs: 200 }), {
    instanceOf: QueryRefusedError,
    message: 'the query took more than 0.2 s and was stopped',
  });
});

test('a query fails with WarehouseBusyError while another process has the file open', async (t) => {
  const { run, file } = await aWarehouse(t);
  await startNode(
    t,
    `const { openDatabase } = await import(${JSON.stringify(CONNECT)});
     await openDatabase({ path: ${JSON.stringify(file)} });
     console.log('open'); setInterval(() => undefined, 1000);`,
  );
  await t.throwsAsync(run('select 1'), { instanceOf: WarehouseBusyError });
});

test('a job waits for a query to end', async (t) => {
  const paths = dataPaths(await aFolder(t));
  await withWarehouse(paths, async () => undefined);
  await startNode(
    t,
    `const { openDatabase } = await import(${JSON.stringify(CONNECT)});
     const db = await openDatabase({ path: ${JSON.stringify(paths.warehouseFile)}, readOnly: true });
     console.log('open'); setTimeout(db.close, 700);`,
  );
  t.is(await withWarehouse(paths, async () => 'done'), 'done');
});

test('a query before the first load is refused', async (t) => {
  const file = path.join(await aFolder(t), 'warehouse.duckdb');
  await t.throwsAsync(queryWarehouse(file, 'select 1', LIMITS), {
    instanceOf: QueryRefusedError,
    message: 'nothing is loaded yet',
  });
  t.false(existsSync(file));
});

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadMonths } from '../../../pipelines/flights/load.ts';
import { buildFeatures } from '../../../pipelines/features/build.ts';
import { MODELS } from '../../../warehouse/build/models.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { readManifest, lakeFilePath } from '../../../warehouse/lake/lake.ts';
import { writeRun } from '../../../warehouse/lake/ledger.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import { rebuildWarehouse } from '../../../warehouse/build/rebuild.ts';
import { readSnapshot } from '../../../warehouse/snapshot.ts';
import { withWarehouse, type Warehouse } from '../../../warehouse/build/warehouse.ts';
import {
  aFile,
  aFlight,
  aFolder,
  extractToLake,
  NOW,
  numberFlights,
  toCsv,
} from '../../helpers/flight-files.ts';
import { readFolder, writeFolder } from '../../helpers/folders.ts';
import { oncePerRun } from '../../helpers/once-per-run.ts';

const now = () => NOW;
const silent = () => undefined;

/** Flights of a month on three routes, about a sixth of them late. */
function aMonth(month: string, carrier: string): string {
  const flights = Array.from({ length: 400 }, (_, i) =>
    aFlight({
      FL_DATE: `${month}-${String(1 + (i % 28)).padStart(2, '0')}`,
      OP_UNIQUE_CARRIER: carrier,
      ORIGIN: ['JFK', 'LAX', 'BOS'][i % 3] ?? '',
      DEST: ['LAX', 'BOS', 'JFK'][i % 3] ?? '',
      CRS_DEP_TIME: `${String(6 + (i % 16)).padStart(2, '0')}15`,
      ARR_DELAY: String((i * 7) % 43),
    }),
  );
  return toCsv(numberFlights(flights));
}

/**
 * A warehouse with built marts, whose months were loaded out of order, one of them twice. Built once and copied for
 * each test.
 */
async function aWarehouse(t: ExecutionContext): Promise<DataPaths> {
  const dataDir = await aFolder(t);
  const folder = await oncePerRun('warehouse to rebuild', async () =>
    readFolder(await buildDataFolder(t)),
  );
  await writeFolder(dataDir, folder);
  return dataPaths(dataDir);
}

/** Builds the warehouse and returns its data folder. */
async function buildDataFolder(t: ExecutionContext): Promise<string> {
  const dataDir = await aFolder(t);
  const paths = dataPaths(dataDir);
  const { lakeDir } = paths;
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => withWarehouse(paths, work),
    now,
  };
  const load = async (month: string, carrier: string) => {
    await extractToLake(t, await aFile(t, aMonth(month, carrier)), { lakeDir });
    await loadMonths([month], deps, silent);
  };
  await load('2018-09', 'DL');
  await load('2018-07', 'AA');
  await load('2018-08', 'B6');
  await load('2018-07', 'DL');
  await buildFeatures(deps, silent);
  return dataDir;
}

/** Returns every mart as the bytes of a sorted CSV file. */
async function martBytes(t: ExecutionContext, warehouseFile: string) {
  const db = await openDatabase({ path: warehouseFile, readOnly: true });
  const folder = await aFolder(t);
  const marts = MODELS.filter((model) => model.startsWith('marts/'));
  const bytes: Record<string, string> = {};
  for (const mart of marts) {
    const file = path.join(folder, 'mart.csv');
    await db.run(`copy (from ${mart.replace('/', '.')} order by all) to $file (format csv)`, {
      file,
    });
    bytes[mart] = (await readFile(file)).toString('hex');
  }
  db.close();
  return bytes;
}

test('a rebuilt warehouse has identical marts, byte for byte, for any order of loading', async (t) => {
  const paths = await aWarehouse(t);
  const before = await martBytes(t, paths.warehouseFile);
  const report = await rebuildWarehouse(paths, now, silent);
  t.deepEqual(report.months, ['2018-07', '2018-08', '2018-09']);
  t.is(report.flights, 1_200);
  t.deepEqual(await martBytes(t, paths.warehouseFile), before);
  t.false(existsSync(`${paths.warehouseFile}.new`));
});

test('a lost or damaged DuckDB file is rebuilt with the ledger', async (t) => {
  const paths = await aWarehouse(t);
  const before = await martBytes(t, paths.warehouseFile);
  await writeRun(paths.runsDir, {
    id: '20261101T023000000Z-build-abc123',
    step: 'build',
    outcome: 'done',
    startedAt: '2026-11-01T02:30:00.000Z',
    finishedAt: '2026-11-01T02:30:09.000Z',
    codeVersion: 'test',
    inputs: [],
  });
  await writeFile(paths.warehouseFile, 'damaged');
  await writeFile(`${paths.warehouseFile}.wal`, 'of the damaged file');
  await rebuildWarehouse(paths, now, silent);
  t.deepEqual(await martBytes(t, paths.warehouseFile), before);
  const db = await openDatabase({ path: paths.warehouseFile, readOnly: true });
  t.teardown(() => db.close());
  t.deepEqual(await db.rows('select run_id, step from ops.runs'), [
    { run_id: '20261101T023000000Z-build-abc123', step: 'build' },
  ]);
});

test('a failed rebuild leaves the old warehouse unchanged', async (t) => {
  const paths = await aWarehouse(t);
  const before = await martBytes(t, paths.warehouseFile);
  const snapshot = await readSnapshot(paths);
  const manifest = await readManifest(paths.lakeDir, '2018-09');
  if (!manifest) throw new Error('no manifest');
  await writeFile(lakeFilePath(paths.lakeDir, '2018-09', manifest.files.routeHours), 'damaged');
  await t.throwsAsync(rebuildWarehouse(paths, now, silent), { message: /sha256/ });
  t.deepEqual(await martBytes(t, paths.warehouseFile), before);
  t.deepEqual(await readSnapshot(paths), snapshot);
});

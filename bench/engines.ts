import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createSteps } from '../jobs/wiring/steps.ts';
import { openDatabase } from '../warehouse/connect.ts';
import { round } from '../warehouse/ground/round.ts';
import { lakeFilePath, readManifests, type MonthManifest } from '../warehouse/lake/lake.ts';
import { dataPaths } from '../warehouse/paths.ts';
import { btsFileName, monthsBetween } from '../pipelines/flights/months.ts';
import { writeBtsMonth } from './generate/bts-month.ts';
import { median, type BenchResult } from './report.ts';
import { sharedData } from './stage/shared-data.ts';
import { openRedisClient } from '../warehouse/ground/redis-address.ts';

/**
 * ClickHouse as a library of half a gigabyte. It is installed only for this bench and is not a dependency of the
 * project.
 */
const CHDB = 'chdb@3.4.0';
const ROUNDS = 3;
const REAL = [
  ...['nyc_2017.parquet', 'us_2018_16carriers_bymonth.parquet', 'pnw_2023_01-10.parquet'],
  ...['us_2020_03_06_09_depdelay.parquet', 'us_2024-08_2025-04_20hubs.parquet'],
].map((name) => sharedData('flights', name));
const SYNTHETIC_ROWS = 200_000;

const run = promisify(execFile);

/**
 * Has ClickHouse count flights by month, airline, route and hour from the lake's Parquet files, and compares each row
 * with the lake's own counts, which come from DuckDB.
 */
export async function benchEngines(log: (line: string) => void): Promise<BenchResult> {
  const engine = await installEngine(log);
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    const files = REAL.every(existsSync) ? REAL : await writeSyntheticFiles(folder);
    log(`reading ${files.map((file) => path.basename(file)).join(', ')} into a lake`);
    const dataDir = path.join(folder, 'data');
    const manifests = await buildLake(dataDir, files);
    const { lakeDir } = dataPaths(dataDir);
    const seconds: number[] = [];
    const out = path.join(folder, 'clickhouse.parquet');
    for (let at = 0; at < ROUNDS; at += 1) {
      log(`ClickHouse, round ${at + 1} of ${ROUNDS}`);
      await rm(out, { force: true });
      seconds.push(
        await countWithClickhouse(engine, { lakeDir, files: lakeFiles(lakeDir, manifests) }, out),
      );
    }
    const { rows, differing } = await compareCounts(lakeDir, manifests, out);
    const counted = manifests.filter(({ files: { flights } }) => flights);
    const flights = counted.reduce((sum, { rows: { loaded } }) => sum + loaded, 0);
    return {
      part: 'engines',
      subject: `${flights} flights of ${counted.length} months, by month, airline, route and hour, from the lake's Parquet`,
      rows: [
        { engine: `ClickHouse (${CHDB})`, seconds: round(median(seconds), 2), rows, differing },
      ],
      targets: [{ name: 'rows that differ', measured: differing, unit: '', atMost: 0 }],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Installs ClickHouse, unless an earlier run did; returns the folder. */
async function installEngine(log: (line: string) => void): Promise<string> {
  const folder = path.join(tmpdir(), `headwind-${CHDB.replace('@', '-')}`);
  if (existsSync(path.join(folder, 'node_modules/chdb'))) return folder;
  log(`installing ${CHDB} in ${folder}`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}\n');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', CHDB], {
    cwd: folder,
  });
  return folder;
}

async function writeSyntheticFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const month of monthsBetween('2025-01', '2025-06')) {
    const file = path.join(folder, btsFileName(month));
    await writeBtsMonth(file, { month, rows: SYNTHETIC_ROWS });
    files.push(file);
  }
  return files;
}

async function buildLake(dataDir: string, files: readonly string[]): Promise<MonthManifest[]> {
  // Extracting never uses Redis, so the connection is never opened.
  const redis = openRedisClient('redis://127.0.0.1:1', { lazyConnect: true });
  const steps = createSteps({ dataDir, codeVersion: 'bench', offline: true }, redis);
  for (const file of files) await steps.extractFile({ path: file }, () => undefined);
  redis.disconnect();
  return readManifests(dataPaths(dataDir).lakeDir);
}

/** Files with single flights, by the basis of their delays. */
type LakeFiles = { arrival: string[]; departure: string[] };

function lakeFiles(lakeDir: string, manifests: readonly MonthManifest[]): LakeFiles {
  const files: LakeFiles = { arrival: [], departure: [] };
  for (const {
    month,
    delayBasis,
    files: { flights },
  } of manifests) {
    if (flights) files[delayBasis].push(lakeFilePath(lakeDir, month, flights));
  }
  return files;
}

/** Counts the flights in a separate process; returns the seconds it took. */
async function countWithClickhouse(
  engine: string,
  { lakeDir, files }: { lakeDir: string; files: LakeFiles },
  out: string,
): Promise<number> {
  const sql = await readFile(
    path.join(import.meta.dirname, 'engines/route_hours.clickhouse.sql'),
    'utf8',
  );
  const counts = Object.entries(files)
    .filter(([, names]) => names.length > 0)
    .map(([basis, names]) =>
      sql
        .replaceAll('$flights', path.join(lakeDir, 'flights/year=*/month=*/*.flights.parquet'))
        .replaceAll('$files', names.map((name) => `'${name}'`).join(', '))
        .replaceAll('$delay_basis', basis),
    );
  const statement = `insert into function file('${out}', Parquet) ${counts.join('\nunion all\n')}`;
  const script = path.join(import.meta.dirname, 'engines/run-clickhouse.ts');
  const { stdout } = await run(process.execPath, [script, engine, statement]);
  return Number(stdout);
}

/** Returns the number of rows of the lake's counts, and the number of rows in which the lake and ClickHouse differ. */
async function compareCounts(lakeDir: string, manifests: readonly MonthManifest[], theirs: string) {
  const sums = manifests
    .filter(({ files: { flights } }) => flights)
    .map(({ month, files }) => lakeFilePath(lakeDir, month, files.routeHours));
  const sqlList = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  const db = await openDatabase();
  try {
    const columns = await db.rows<{ column_name: string }>(
      `describe from read_parquet(${sqlList(sums)}, hive_partitioning = false)`,
    );
    const names = columns.map(({ column_name: name }) => name).join(', ');
    await db.run(
      `create table ours as select ${names} from read_parquet(${sqlList(sums)}, hive_partitioning = false)`,
    );
    await db.run(`create table theirs as select ${names} from read_parquet('${theirs}')`);
    const [counts] = await db.rows<{ rows: number; differing: number }>(`
      select
        (select count(*) from ours) as rows,
        (select count(*) from (from ours except all from theirs))
          + (select count(*) from (from theirs except all from ours)) as differing`);
    return counts ?? { rows: 0, differing: Number.NaN };
  } finally {
    db.close();
  }
}

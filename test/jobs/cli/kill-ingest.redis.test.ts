import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../../warehouse/connect.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { startCommand, until } from '../helpers/command.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const MAIN = fileURLToPath(new URL('../../../jobs/main.ts', import.meta.url));
const FLIGHTS = fileURLToPath(
  new URL('../../../../shared/data/flights/pnw_2023_01-10.parquet', import.meta.url),
);

type Flights = { file: string; count: number };

/** Writes every eighth flight of the ten months into a file of the folder, to shorten the test. */
async function someFlights(folder: string): Promise<Flights> {
  const file = join(folder, basename(FLIGHTS));
  const db = await openDatabase({ threads: 1 });
  try {
    await db.run(
      `copy (select * exclude (file_row_number) from read_parquet($flights, file_row_number = true)
       where file_row_number % 8 = 0) to $file (format parquet)`,
      { flights: FLIGHTS, file },
    );
    const [row] = await db.rows<{ count: number }>(
      'select count(*) as count from read_parquet($file)',
      { file },
    );
    return { file, count: row?.count ?? 0 };
  } finally {
    db.close();
  }
}

const startIngest = (t: ExecutionContext, { file }: Flights, dataDir: string) =>
  startCommand(t, ['ingest', file], { DATA_DIR: dataDir }, MAIN);

/** Process ids of the workers of the data folder, oldest first, from their log. */
async function workerPids(dataDir: string): Promise<number[]> {
  const log = await readFile(join(dataDir, 'logs/worker.log'), 'utf8').catch(() => '');
  return [...new Set([...log.matchAll(/"pid":(\d+)/g)].map((match) => Number(match[1])))];
}

async function killWorker(dataDir: string, nth: number): Promise<void> {
  await until('a worker runs', async () => (await workerPids(dataDir)).length > nth);
  process.kill((await workerPids(dataDir))[nth] ?? 0, 'SIGKILL');
}

/** Counts the rows that only one of two warehouses has, in all tables that an ingest loads. */
async function differences(one: string, other: string): Promise<number> {
  const db = await openDatabase();
  try {
    await db.run(
      `attach '${dataPaths(one).warehouseFile}' as one (read_only);
       attach '${dataPaths(other).warehouseFile}' as other (read_only)`,
    );
    const months = 'select * exclude (extracted_at, loaded_at) from';
    const [row] = await db.rows<{ count: number }>(
      `with differences as (
         (select 1 from (from one.raw.route_hours except all from other.raw.route_hours))
         union all (select 1 from (from other.raw.route_hours except all from one.raw.route_hours))
         union all (select 1 from (from one.raw.airport_days except all from other.raw.airport_days))
         union all (select 1 from (from other.raw.airport_days except all from one.raw.airport_days))
         union all (select 1 from (${months} one.raw.lake_months except ${months} other.raw.lake_months))
         union all (select 1 from (${months} other.raw.lake_months except ${months} one.raw.lake_months))
       )
       select count(*) as count from differences`,
    );
    return row?.count ?? -1;
  } finally {
    db.close();
  }
}

async function ingestUndisturbed(
  t: ExecutionContext,
  flights: Flights,
  dataDir: string,
): Promise<void> {
  const ingest = startIngest(t, flights, dataDir);
  t.is(await ingest.end, 0, ingest.err());
  t.true(ingest.out().includes(flights.count.toLocaleString('en-US')), ingest.out());
}

/** Kills two workers of an ingest, the second when half of the months are loaded. */
async function ingestKillingWorkers(
  t: ExecutionContext,
  flights: Flights,
  dataDir: string,
): Promise<void> {
  const ingest = startIngest(t, flights, dataDir);
  const fifthMonth = join(dataDir, 'lake/flights/year=2023/month=05/manifest.json');
  await killWorker(dataDir, 0);
  await until('half of the months are loaded', () => existsSync(fifthMonth));
  await killWorker(dataDir, 1);
  t.is(await ingest.end, 0, ingest.err());
}

/** Kills an ingest with its worker, and starts it again. */
async function ingestTwice(t: ExecutionContext, flights: Flights, dataDir: string): Promise<void> {
  const first = startIngest(t, flights, dataDir);
  const secondMonth = join(dataDir, 'lake/flights/year=2023/month=02/manifest.json');
  await until('the first months are loaded', () => existsSync(secondMonth));
  first.process.kill('SIGKILL');
  await killWorker(dataDir, 0).catch(() => undefined);
  await first.end;
  const second = startIngest(t, flights, dataDir);
  t.is(await second.end, 0, second.err());
}

test('an ingest loads the same rows as an undisturbed one, even if the command or its workers are killed', async (t) => {
  const folder = await tempDir(t);
  const [undisturbed, lostWorkers, restarted] = [
    join(folder, 'undisturbed'),
    join(folder, 'lost-workers'),
    join(folder, 'restarted'),
  ];
  // The parts run concurrently, because most of the time passes before a lost job is detected.
  const flights = await someFlights(folder);
  await Promise.all([
    ingestUndisturbed(t, flights, undisturbed),
    ingestKillingWorkers(t, flights, lostWorkers),
    ingestTwice(t, flights, restarted),
  ]);
  t.is(await differences(undisturbed, lostWorkers), 0);
  t.is(await differences(undisturbed, restarted), 0);
});

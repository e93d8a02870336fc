import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { assessFlight } from '../../../models/score.ts';
import { buildFeatures } from '../../../pipelines/features/build.ts';
import { publishStore } from '../../../pipelines/features/publish.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { loadMonths } from '../../../pipelines/flights/load.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { withFlightOdds } from '../../../warehouse/store/pack.ts';
import { withWarehouse, type Warehouse } from '../../../warehouse/build/warehouse.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SEED = path.join(ROOT, 'warehouse/seed/route_hours.parquet');
const FLIGHTS = path.join(ROOT, '../shared/data/flights');

const COUNTS = [
  'flightCount',
  'completedCount',
  'delayedCount',
  'cancelledCount',
  'delayedMinSum',
] as const;

type AirlineRoute = { origin: string; dest: string; carrier: string } & Record<
  (typeof COUNTS)[number],
  number
>;

/** Builds and publishes the store of the seed's flights, as at a first start. */
async function buildSeedStore(t: ExecutionContext): Promise<ScoreStore> {
  const dir = await mkdtemp(path.join(tmpdir(), 'headwind-first-light-'));
  t.teardown(() => rm(dir, { recursive: true }));
  const paths = dataPaths(dir);
  const saved: StoreFiles[] = [];
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => withWarehouse(paths, work),
    now: () => new Date('2026-11-01T02:30:00Z'),
    releasedModel: async () => ({}),
    openStore,
    withFlightOdds,
    saveStore: async (files: StoreFiles) => {
      saved.push(files);
      return files.manifest.version;
    },
  };
  const noProgress = () => undefined;
  const extraction = await extractFile(
    { path: SEED },
    createExtractDeps({ lakeDir: paths.lakeDir, codeVersion: 'test' }),
    noProgress,
  );
  t.is(extraction.rowsRejected, 0);
  const load = await loadMonths(
    extraction.months.map(({ month }) => month),
    deps,
    noProgress,
  );
  t.is(load.flights, 8_868_431);
  const build = await buildFeatures(deps, noProgress);
  t.deepEqual(
    build.checks.filter(({ failures }) => failures > 0),
    [],
  );
  await publishStore(deps, noProgress);
  const [files] = saved;
  if (!files) throw new Error('nothing was published');
  return openStore(files);
}

test('the seed, taken through the whole pipeline, gives the counts of its source files', async (t) => {
  const store = await buildSeedStore(t);
  await checkCountsOfSources(t, store);
  await checkEveryRouteIsExact(t, store);
});

/** Compares the counts of JFK-LAX with DL to those in the source files. */
async function checkCountsOfSources(t: ExecutionContext, store: ScoreStore): Promise<void> {
  const db = await openDatabase();
  t.teardown(() => db.close());
  const [source] = await db.rows<Record<string, number>>(
    `with flights as (
       select ARR_DELAY as delay, CANCELLED = 1 as is_cancelled
       from read_parquet($folder || '/us_2018_16carriers_bymonth.parquet')
       where ORIGIN = 'JFK' and DEST = 'LAX' and OP_CARRIER = 'DL'
       union all
       select DepDelay, DepDelay is null
       from read_parquet($folder || '/us_2022_02_04_depdelay.parquet')
       where Origin = 'JFK' and Dest = 'LAX' and Airline = 'Delta Air Lines Inc.'
       union all
       select ARR_DELAY_NEW, CANCELLED = 1
       from read_parquet($folder || '/us_2024-08_2025-04_20hubs.parquet')
       where ORIGIN = 'JFK' and DEST = 'LAX' and OP_UNIQUE_CARRIER = 'DL'
     )
     select
       count(*) as flights,
       count(delay) filter (where not is_cancelled) as completed,
       count(*) filter (where delay > 30) as delayed,
       count(*) filter (where is_cancelled) as cancelled,
       sum(delay) filter (where delay > 30) as delayed_min
     from flights`,
    { folder: FLIGHTS },
  );
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-21' };
  const { tier, stats } = assessFlight(query, store, {});
  t.is(tier, 'exact');
  t.deepEqual(
    [
      stats.flightCount,
      stats.completedCount,
      stats.delayedCount,
      stats.cancelledCount,
      stats.delayedMinSum,
    ],
    [source?.flights, source?.completed, source?.delayed, source?.cancelled, source?.delayed_min],
  );
  // 3,156 flights are from 2018, 428 from 2022, and 2,546 from 2024 and 2025.
  t.deepEqual([stats.flightCount, stats.delayedCount, stats.cancelledCount], [6130, 707, 27]);
}

/** Checks that each airline-route of the seed has its own record, with the counts of the seed. */
async function checkEveryRouteIsExact(t: ExecutionContext, store: ScoreStore): Promise<void> {
  const db = await openDatabase();
  t.teardown(() => db.close());
  const routes = await db.rows<AirlineRoute>(
    `select
       origin,
       dest,
       carrier,
       sum(flight_count)::bigint as "flightCount",
       sum(completed_count)::bigint as "completedCount",
       sum(delayed_count)::bigint as "delayedCount",
       sum(cancelled_count)::bigint as "cancelledCount",
       sum(delayed_min_sum)::bigint as "delayedMinSum"
     from read_parquet($seed)
     group by all`,
    { seed: SEED },
  );
  t.true(routes.length > 16_000);
  const others = routes.filter(({ origin, dest, carrier, ...counts }) => {
    const exact = store.routeCarrier(origin, dest, carrier);
    return COUNTS.some((count) => exact?.[count] !== counts[count]);
  });
  t.deepEqual(others, [], 'every airline-route of the seed is exact');
}

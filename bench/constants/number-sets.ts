import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { openModel } from '../../models/onnx/model.ts';
import { assessFlight } from '../../models/score.ts';
import { openXgboost } from '../../models/train/xgboost.ts';
import type { FlightQuery } from '../../models/types.ts';
import { SEED_DIR, seedFilesIn } from '../../jobs/cli/program/arguments.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { JSON_TABLES } from '../../pipelines/providers/index.ts';
import { probabilitiesOf } from '../../pipelines/model/score-outcomes.ts';
import { trainModel } from '../../pipelines/model/train-model.ts';
import { knowledgeAsOf } from '../../warehouse/build/as-of.ts';
import { migrate } from '../../warehouse/build/migrate.ts';
import { openDatabase, type Database } from '../../warehouse/connect.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { logit } from '../../warehouse/ground/log-odds.ts';
import { lakeFilePath, readManifests } from '../../warehouse/lake/lake.ts';
import { HOME_PROVIDER, providerLakeDir } from '../../warehouse/paths.ts';
import { openStore } from '../../warehouse/store/open.ts';

/**
 * Dated flights with flight numbers, and the first days of the periods that are forecast. The files are in the data
 * folder.
 */
export type NumberSet = {
  name: string;
  files: string[];
  /** Absent for BTS. The seed of another provider is not used, because it may contain the flights of the test set. */
  provider?: string;
  /** First days of the forecasts, `YYYY-MM-DD`. */
  cuts: string[];
  /** Months that each forecast covers. Default: 3. */
  months?: number;
};

export const NUMBER_SETS: readonly NumberSet[] = [
  {
    name: 'New York 2017',
    files: ['flights/nyc_2017.parquet'],
    cuts: ['2017-04-01', '2017-07-01', '2017-10-01'],
  },
  {
    name: 'Seattle-Portland 2023',
    files: ['flights/pnw_2023_01-10.parquet'],
    cuts: ['2023-04-01', '2023-06-01', '2023-08-01'],
  },
  {
    name: 'Arizona 2024',
    files: ['flights/az_2024.parquet'],
    cuts: ['2024-07-01', '2024-10-01'],
  },
  {
    name: 'Baltimore 2021',
    files: ['flights/bwi_2021.parquet'],
    cuts: ['2021-07-01', '2021-10-01'],
  },
  {
    name: 'Albuquerque 2015-17',
    files: ['flights/abq_2008-01_2017-11.parquet'],
    cuts: ['2016-07-01', '2017-07-01'],
  },
  {
    name: 'Omaha 2021',
    files: ['02', '03', '04'].map((month) => `flights/bts_t_ontime_reporting_2021_${month}.csv.gz`),
    cuts: ['2021-04-01'],
  },
  {
    name: 'Hong Kong 2025',
    files: ['world/hkia_past_2025-10-16_2025-12-31.ndjson.gz'],
    provider: 'hkia',
    cuts: ['2025-11-08', '2025-11-16', '2025-12-01', '2025-12-16'],
    months: 1,
  },
  {
    name: 'Zurich 2017',
    files: ['world/zrh_2017_flights.csv.gz'],
    provider: 'zrh',
    cuts: ['2017-03-01', '2017-06-01', '2017-09-01'],
  },
];

/**
 * Calls `work` for each cut with a database that has the table `cases`. This table has one row per completed flight:
 * the flight's number, the log-odds that the statistics forecast and, for BTS, the log-odds that the model forecasts.
 * Flights before the cut are also forecast, from data that contains these flights.
 */
export async function withNumberCases(
  dataDir: string,
  { files, provider = HOME_PROVIDER, cuts, months = 3 }: NumberSet,
  work: (db: Database, cut: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-numbers-'));
  try {
    const [lakeDir, seedLake] = [path.join(folder, 'lake'), path.join(folder, 'seed')];
    for (const file of files) await extract(path.join(dataDir, file), lakeDir);
    if (provider === HOME_PROVIDER) {
      for (const file of seedFilesIn(SEED_DIR)) await extract(file, seedLake);
    }
    const lake = providerLakeDir(lakeDir, provider);
    for (const cut of cuts) {
      const db = await openDatabase();
      try {
        await migrate(db);
        await readFlights(db, lake);
        await db.run(FEWER_FLIGHTS, { cut, months });
        await addForecasts(db, {
          lakes: [lake, seedLake],
          cut,
          isHome: provider === HOME_PROVIDER,
        });
        await work(db, cut);
      } finally {
        db.close();
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function extract(file: string, lakeDir: string): Promise<void> {
  const deps = createExtractDeps({ lakeDir, codeVersion: 'constants', jsonTables: JSON_TABLES });
  await extractFile({ path: file }, deps, () => undefined);
}

async function readFlights(db: Database, lake: string): Promise<void> {
  await db.run(FLIGHTS);
  for (const { month, files, delayBasis } of await readManifests(lake)) {
    if (!files.flights) continue;
    const file = lakeFilePath(lake, month, files.flights);
    await db.run(ADD_FLIGHTS, { file, basis: delayBasis });
  }
}

type Group = { origin: string; dest: string; carrier: string; day: string; hour: number | null };

async function addForecasts(
  db: Database,
  { lakes, cut, isHome }: { lakes: string[]; cut: string; isHome: boolean },
): Promise<void> {
  const groups = await db.rows<Group>(GROUPS);
  const knowledge = await knowledgeAsOf(lakes, cut);
  const store = openStore(knowledge.store);
  const known = groups.filter(({ origin, dest }) => store.airport(origin) && store.airport(dest));
  const queries = known.map(({ origin, dest, carrier, day, hour }): FlightQuery => ({
    ...{ origin, dest, carrier, flightDate: day },
    ...(hour !== null && { crsDepHour: hour }),
  }));
  const statistics = queries.map((query) => assessFlight(query, store, {}).logOdds);
  const model = isHome
    ? Array.from(probabilitiesOf(queries, store, train(knowledge)), logit)
    : queries.map(() => null);
  await db.run(FORECASTS);
  await db.append('forecasts', [
    ...(['origin', 'dest', 'carrier', 'day', 'hour'] as const).map((key) =>
      known.map((group) => group[key]),
    ),
    statistics,
    model,
  ]);
  await db.run(CASES, { cut });
}

function train({ training }: Awaited<ReturnType<typeof knowledgeAsOf>>) {
  const settings = { seed: 1, codeVersion: 'constants', metrics: {} };
  return openModel(
    trainModel(training, settings, openXgboost(), () => undefined),
    MODEL_CONTRACT,
  );
}

const FLIGHTS = `
  create table flights (
    day date, origin varchar, dest varchar, carrier varchar, number integer, crs_dep_time integer, is_late boolean
  )`;

const ADD_FLIGHTS = `
  insert into flights
  select flight_date, origin, dest, carrier, try_cast(flight_number as integer), crs_dep_time,
    (case $basis
      when 'arrival' then arr_delay_min
      when 'departure' then dep_delay_min
      else coalesce(arr_delay_min, dep_delay_min)
    end) > 30 as is_late
  from read_parquet($file, hive_partitioning = false)
  where flight_date is not null and not is_cancelled and not coalesce(is_diverted, false) and is_late is not null`;

/** Uses flights from three years before the cut on. Older flights have hardly any weight. */
const FEWER_FLIGHTS = `
  delete from flights
  where day < $cut::date - interval 3 year or day >= $cut::date + to_months($months::integer)`;

const GROUPS = `
  select distinct origin, dest, carrier, day::varchar as day, crs_dep_time // 100 as hour from flights order by all`;

const FORECASTS = `
  create table forecasts (
    origin varchar, dest varchar, carrier varchar, day varchar, hour integer, statistics double, model double
  )`;

const CASES = `
  create table cases as
  select flights.*, forecasts.hour, flights.day >= $cut::date as is_test,
    date_diff('month', flights.day, $cut::date) as age, statistics, model
  from flights
  inner join forecasts on forecasts.origin = flights.origin and forecasts.dest = flights.dest
    and forecasts.carrier = flights.carrier and forecasts.day = flights.day::varchar
    and forecasts.hour is not distinct from flights.crs_dep_time // 100`;

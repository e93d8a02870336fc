import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import inject from 'light-my-request';
import { pino } from 'pino';
import { createApp } from '../../../api/app.ts';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { providerSeedFilesIn, SEED_DIR, seedFilesIn } from '../../../jobs/cli/program/arguments.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { anApi, scoreUrl, someDeps } from '../../api/helpers/app.ts';
import { REAL_FLIGHTS } from '../../helpers/flight-files.ts';
import { pipelineWorld, silent } from '../helpers/pipeline-world.ts';

const BRITAIN_2019 = path.join(
  REAL_FLIGHTS,
  '../world/caa_2019_Annual_Punctuality_Statistics_Full_Analysis_Arrival_Departure.csv.gz',
);

const FLIGHTS = 2_000;

/** Every optional part of an answer. */
const INCLUDE = 'lineage,outlook,distribution,interval,by_hour,blend,drivers,operators';

type Flight = { origin: string; dest: string; airline: string; date: string; dep_time: string };

/** Draws flights of the American record. The draw is the same in every run. */
async function drawFlights(t: ExecutionContext): Promise<Flight[]> {
  const db = await openDatabase();
  t.teardown(() => db.close());
  return db.rows<Flight>(
    `with services as (
       select distinct origin, dest, carrier, crs_dep_hour,
         hash(origin, dest, carrier, crs_dep_hour, 20261123) as draw
       from read_parquet($file)
       where crs_dep_hour is not null
     )
     select origin, dest, carrier as airline,
       strftime(date '2026-03-11' + (draw % 300)::integer, '%Y-%m-%d') as date,
       lpad(crs_dep_hour::varchar, 2, '0') || ':' || lpad((draw % 60)::varchar, 2, '0') as dep_time
     from services order by draw limit ${FLIGHTS}`,
    { file: seedFilesIn(SEED_DIR)[0] ?? '' },
  );
}

/** Creates a pipeline on an empty folder. Returns functions that load files, and that publish and open an API. */
async function aFolderOfRecords(t: ExecutionContext) {
  const { steps, paths } = await pipelineWorld(t, '');
  const load = async (files: string[]) => {
    for (const file of files) {
      const { source, months } = await steps.extractFile({ path: file }, silent);
      const names = months.map(({ month }) => month);
      if (source.form === 'delay_causes') await steps.loadDelayCauses(names, silent);
      else await steps.loadMonths(names, silent, source.provider);
    }
  };
  const publish = async () => {
    await steps.buildFeatures(silent);
    await steps.publishStore(silent);
    const files = await readFromDisk(paths.storeDir);
    if (!files) throw new Error('nothing was published');
    const store = openStore(files);
    const models = createStoreModels(pino({ level: 'silent' }));
    t.teardown(() => models.close());
    await models.prepare(store, files);
    const deps = { stores: { current: () => store }, models };
    const handle = createApp(someDeps(deps)).callback();
    const bytes = async (url: string) =>
      (await inject((request, response) => void handle(request, response), url)).payload;
    return { ask: anApi(deps), bytes };
  };
  return { load, publish };
}

/** Flights of other countries. Each has the provider of its record, and the first and last month of the record. */
const OTHERS = [
  [{ origin: 'HKG', dest: 'NRT', airline: 'CX' }, 'hkia', '2025-10', '2025-12'],
  [{ origin: 'HKG', dest: 'SIN', airline: 'SQ' }, 'hkia', '2025-10', '2025-12'],
  [{ origin: 'SYD', dest: 'MEL', airline: 'QF' }, 'bitre', '2020-01', '2023-12'],
  [{ origin: 'ZRH', dest: 'LHR', airline: 'LX' }, 'zrh', '2017-01', '2017-12'],
  [{ origin: 'LHR', dest: 'CDG', airline: 'AF' }, 'caa', '2019-01', '2019-12'],
] as const;

/** Returns the bytes of a body without the version of the store. Each publish with other content has another version. */
const withoutVersion = (body: string) => body.replace(/"store_version":"[^"]*"/, '');

test('records of other countries make their own flights exact and change no American answer', async (t) => {
  t.timeout(1_200_000);
  const { load, publish } = await aFolderOfRecords(t);
  await load(seedFilesIn(SEED_DIR));
  const american = await publish();
  await load([...providerSeedFilesIn(SEED_DIR), BRITAIN_2019]);
  const world = await publish();
  for (const [flight, provider, first, last] of OTHERS) {
    const url = scoreUrl({ ...flight, include: 'interval,lineage' });
    t.not((await american.ask(url)).body['data_source'], 'exact', url);
    const { body } = await world.ask(url);
    t.like(body, {
      data_source: 'exact',
      data_provider: provider,
      lineage: { record: { first, last } },
    });
    const { low, high } = body['interval'] as { low: number; high: number };
    t.true(0 <= low && low < high && high <= 100, `${url} ${low} ${high}`);
  }
  const flights = await drawFlights(t);
  t.is(flights.length, FLIGHTS);
  for (const flight of flights) {
    const url = scoreUrl({ ...flight, include: INCLUDE });
    const [before, after] = [await american.bytes(url), await world.bytes(url)];
    t.true(before.includes('"data_provider":"bts"'), before);
    // Compares whole bodies only if they differ, because the comparison of AVA is slow.
    if (withoutVersion(after) !== withoutVersion(before)) {
      t.deepEqual(JSON.parse(after), JSON.parse(before), url);
    }
  }
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import test from 'ava';
import { seed } from '../../../jobs/cli/commands/seed.ts';
import type { Provenance } from '../../../pipelines/seed/build.ts';
import { openDatabase } from '../../../warehouse/connect.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SEED_DIR = path.join(ROOT, 'warehouse/seed');
const SOURCE_DIR = path.join(ROOT, '../shared/data/flights');
const FILES = ['route_hours.parquet', 'airport_days.parquet'];

test('the seed in the repository is what make seed computes from its sources, row for row', async (t) => {
  const seedDir = await mkdtemp(path.join(tmpdir(), 'headwind-seed-test-'));
  t.teardown(() => rm(seedDir, { recursive: true }));
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const committed = JSON.parse(
    await readFile(path.join(SEED_DIR, 'provenance.json'), 'utf8'),
  ) as Provenance;
  const exitCode = await seed(
    { out: silent, err: silent },
    { sourceDir: SOURCE_DIR, seedDir, codeVersion: committed.codeVersion },
  );
  t.is(exitCode, 0);
  const db = await openDatabase();
  t.teardown(() => db.close());
  for (const file of FILES) {
    const [one, other] = [path.join(seedDir, file), path.join(SEED_DIR, file)];
    const difference = `select count(*) as count from (
      (from read_parquet($one) except all from read_parquet($other))
      union all (from read_parquet($other) except all from read_parquet($one)))`;
    t.deepEqual(await db.rows(difference, { one, other }), [{ count: 0 }], file);
  }
  t.deepEqual(
    JSON.parse(await readFile(path.join(seedDir, 'provenance.json'), 'utf8')) as Provenance,
    committed,
  );
});

test('the seed holds every flight of its two sources of 2018 once', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());
  const seedRows = await db.rows(
    `select carrier = 'WN' as is_southwest, sum(flight_count)::bigint as flights, sum(delayed_count)::bigint as delayed
     from read_parquet($file) group by all order by all`,
    { file: path.join(SEED_DIR, 'route_hours.parquet') },
  );
  const sourceRows = await db.rows(
    `select false as is_southwest, count(*) as flights, count(*) filter (where ARR_DELAY > 30) as delayed
     from read_parquet($carriers)
     union all
     select true as is_southwest, count(*) as flights,
       count(*) filter (where "Arrival Delay Time (mins)" > 30) as delayed
     from read_parquet($airports) where "Airline" = 'Southwest Airlines Co.'
     order by is_southwest`,
    {
      carriers: path.join(SOURCE_DIR, 'us_2018_16carriers_bymonth.parquet'),
      airports: path.join(SOURCE_DIR, 'us_2018_300airports_bymonth.parquet'),
    },
  );
  t.deepEqual(seedRows, sourceRows);
});

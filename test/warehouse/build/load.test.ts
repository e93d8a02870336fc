import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { lakeFilePath, monthDir, readManifest } from '../../../warehouse/lake/lake.ts';
import { sealJson } from '../../../warehouse/lake/sealed.ts';
import { loadMonth } from '../../../warehouse/build/load.ts';
import { CorruptFileError } from '../../../warehouse/errors.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

const HEADER = 'FL_DATE,OP_UNIQUE_CARRIER,ORIGIN,DEST,CRS_DEP_TIME,ARR_DELAY,CANCELLED,DIVERTED';

async function lakeWith(t: ExecutionContext, flights: string[]) {
  const dir = await mkdtemp(path.join(tmpdir(), 'headwind-load-'));
  t.teardown(() => rm(dir, { recursive: true }));
  const lakeDir = path.join(dir, 'lake');
  const ingest = async (rows: string[]) => {
    const file = path.join(dir, 'flights.csv');
    await writeFile(file, [HEADER, ...rows, ''].join('\n'));
    await extractFile(
      { path: file, force: true },
      createExtractDeps({ lakeDir, codeVersion: 'test' }),
      () => undefined,
    );
  };
  await ingest(flights);
  return { lakeDir, ingest };
}

const JULY = ['2018-07-03,DL,JFK,LAX,0800,31,0,0', '2018-07-04,DL,JFK,LAX,0800,30,0,0'];

test('a loaded month has the data of the lake and a row in raw.lake_months', async (t) => {
  const { lakeDir } = await lakeWith(t, JULY);
  const db = await createWarehouse(t);
  t.is(await loadMonth(db, lakeDir, '2018-07'), 2);
  t.deepEqual(
    await db.rows(
      'select month, carrier, crs_dep_hour, flight_count, delayed_count, delayed_min_sum from raw.route_hours',
    ),
    [
      {
        month: '2018-07-01',
        carrier: 'DL',
        crs_dep_hour: 8,
        flight_count: 2,
        delayed_count: 1,
        delayed_min_sum: 31,
      },
    ],
  );
  t.deepEqual(
    await db.rows('select flight_date, delayed_count from raw.airport_days order by flight_date'),
    [
      { flight_date: '2018-07-03', delayed_count: 1 },
      { flight_date: '2018-07-04', delayed_count: 0 },
    ],
  );
  t.deepEqual(
    await db.rows(
      'select weekday, crs_dep_count, delayed_count from raw.airport_hours order by weekday',
    ),
    [
      { weekday: 2, crs_dep_count: 1, delayed_count: 1 },
      { weekday: 3, crs_dep_count: 1, delayed_count: 0 },
    ],
  );
  t.deepEqual(
    await db.rows(
      'select month, source_name, source_form, rows_read, rows_loaded from raw.lake_months',
    ),
    [
      {
        month: '2018-07-01',
        source_name: 'flights.csv',
        source_form: 'bts_short',
        rows_read: 2,
        rows_loaded: 2,
      },
    ],
  );
});

test('loading a month again replaces it and leaves other months unchanged', async (t) => {
  const { lakeDir, ingest } = await lakeWith(t, [...JULY, '2018-08-01,DL,JFK,LAX,0800,5,0,0']);
  const db = await createWarehouse(t);
  await loadMonth(db, lakeDir, '2018-07');
  await loadMonth(db, lakeDir, '2018-08');
  await ingest(['2018-07-03,AA,JFK,LAX,0900,5,0,0', '2018-07-03,AA,JFK,LAX,0905,5,0,0']);
  t.is(await loadMonth(db, lakeDir, '2018-07'), 2);
  t.is(await loadMonth(db, lakeDir, '2018-07'), 2);
  t.deepEqual(
    await db.rows('select month, carrier, flight_count from raw.route_hours order by month'),
    [
      { month: '2018-07-01', carrier: 'AA', flight_count: 2 },
      { month: '2018-08-01', carrier: 'DL', flight_count: 1 },
    ],
  );
  t.deepEqual(await db.rows('select count(*) as count from raw.airport_days'), [{ count: 2 }]);
});

test('a month of aggregates has departures by hour, without weekdays and arrivals', async (t) => {
  const { lakeDir } = await lakeWith(t, JULY);
  const manifest = await readManifest(lakeDir, '2018-07');
  if (!manifest) throw new Error('no manifest');
  const { airportHours: _none, airportDays: _neither, flights: _nor, ...files } = manifest.files;
  await writeFile(
    path.join(monthDir(lakeDir, '2018-07'), 'manifest.json'),
    sealJson({ ...manifest, files }),
  );
  const db = await createWarehouse(t);
  await loadMonth(db, lakeDir, '2018-07');
  await loadMonth(db, lakeDir, '2018-07');
  t.deepEqual(await db.rows('select * from raw.airport_hours'), [
    {
      month: '2018-07-01',
      airport: 'JFK',
      weekday: null,
      local_hour: 8,
      crs_dep_count: 2,
      crs_arr_count: null,
      completed_count: 2,
      delayed_count: 1,
    },
  ]);
});

test('a month missing from the lake is not loaded', async (t) => {
  const { lakeDir } = await lakeWith(t, JULY);
  const db = await createWarehouse(t);
  await t.throwsAsync(loadMonth(db, lakeDir, '2018-09'), {
    message: 'month 2018-09 is not in the lake: ingest it first',
  });
});

test('one flipped bit in a lake month is detected before loading, and ingesting again repairs the month', async (t) => {
  const { lakeDir, ingest } = await lakeWith(t, JULY);
  const db = await createWarehouse(t);
  await loadMonth(db, lakeDir, '2018-07');
  const manifest = await readManifest(lakeDir, '2018-07');
  if (!manifest?.files.airportDays || !manifest.files.airportHours) throw new Error('no manifest');
  const { routeHours, airportDays, airportHours } = manifest.files;
  const usedFiles = [
    lakeFilePath(lakeDir, '2018-07', routeHours),
    lakeFilePath(lakeDir, '2018-07', airportDays),
    lakeFilePath(lakeDir, '2018-07', airportHours),
    path.join(monthDir(lakeDir, '2018-07'), 'manifest.json'),
  ];
  for (const [index, file] of usedFiles.entries()) {
    const sound = await readFile(file);
    for (let nth = 0; nth < 250; nth++) {
      const damaged = Buffer.from(sound);
      // 7919 is prime, so the positions spread over the whole file. At each position another bit changes.
      const place = (nth * 7919 + index) % sound.length;
      damaged[place] = (damaged[place] ?? 0) ^ (1 << (nth % 8));
      await writeFile(file, damaged);
      await t.throwsAsync(loadMonth(db, lakeDir, '2018-07'), { instanceOf: CorruptFileError });
    }
    await ingest(JULY);
    t.is(await loadMonth(db, lakeDir, '2018-07'), 2);
  }
});

test('a damaged lake file is detected, and loaded data stays', async (t) => {
  const { lakeDir } = await lakeWith(t, JULY);
  const db = await createWarehouse(t);
  await loadMonth(db, lakeDir, '2018-07');
  const manifest = await readManifest(lakeDir, '2018-07');
  if (!manifest) throw new Error('no manifest');
  await writeFile(lakeFilePath(lakeDir, '2018-07', manifest.files.routeHours), 'damaged');
  await t.throwsAsync(loadMonth(db, lakeDir, '2018-07'), {
    message: /its sha256 does not match the manifest: ingest the month again$/,
  });
  t.deepEqual(await db.rows('select flight_count from raw.route_hours'), [{ flight_count: 2 }]);
});

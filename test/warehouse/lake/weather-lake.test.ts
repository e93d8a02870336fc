import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  type AirportDays,
  readWeatherManifest,
  verifiedWeatherFile,
  listWeatherMonths,
  writeWeatherMonth,
} from '../../../warehouse/lake/weather-lake.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { LakeMonthMissingError, CorruptFileError } from '../../../warehouse/errors.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { loadWeatherMonth } from '../../../warehouse/build/weather-load.ts';
import { aFolder } from '../../helpers/flight-files.ts';

const REF = { source: 'archive', month: '2017-01' };
const NOW = new Date('2026-11-21T12:00:00Z');

const DAYS: AirportDays = new Map([
  ['LAX', [{ date: '2017-01-31', tempMeanC: 15.5 }]],
  [
    'JFK',
    [
      { date: '2016-12-31', windMaxKmh: 99 },
      { date: '2017-01-01', tempMeanC: 1.25, windMaxKmh: 40, weatherCode: 71 },
    ],
  ],
]);

async function aLake(t: ExecutionContext) {
  const lakeDir = await aFolder(t);
  const options = { lakeDir, codeVersion: '1.2.3', now: () => NOW };
  const folder = path.join(lakeDir, 'weather', 'source=archive', 'year=2017', 'month=01');
  const db = await openDatabase();
  t.teardown(() => db.close());
  await migrate(db);
  const loaded = () =>
    db.rows(
      `select airport, weather_date, temp_mean_c, wind_max_kmh, weather_code
       from raw.airport_weather_days order by airport, weather_date`,
    );
  return { lakeDir, options, folder, db, loaded };
}

test('a month is read as written, without the days of other months', async (t) => {
  const { lakeDir, options, folder, db, loaded } = await aLake(t);
  const manifest = await writeWeatherMonth(REF, DAYS, options);
  t.like(manifest, { ...REF, airports: ['JFK', 'LAX'], codeVersion: '1.2.3' });
  t.is(manifest.file.rows, 2);
  t.deepEqual(await readWeatherManifest(lakeDir, REF), manifest);
  t.deepEqual((await readdir(folder)).toSorted(), [manifest.file.name, 'manifest.json'].toSorted());
  t.deepEqual(await listWeatherMonths(lakeDir), [REF]);
  t.is(await loadWeatherMonth(db, lakeDir, REF), 2);
  const rows = [
    ['JFK', '2017-01-01', 1.25, 40, 71],
    ['LAX', '2017-01-31', 15.5, null, null],
  ];
  t.deepEqual(
    (await loaded()).map((row) => Object.values(row as object)),
    rows,
  );
});

test('a new version replaces the month in lake and warehouse; equal days give equal bytes', async (t) => {
  const { lakeDir, options, folder, db, loaded } = await aLake(t);
  const first = await writeWeatherMonth(REF, DAYS, options);
  t.deepEqual(await writeWeatherMonth(REF, DAYS, options), first);
  await loadWeatherMonth(db, lakeDir, REF);
  await writeWeatherMonth(REF, new Map([['SEA', [{ date: '2017-01-02', tempMeanC: 7 }]]]), options);
  t.is((await readdir(folder)).length, 2);
  await loadWeatherMonth(db, lakeDir, REF);
  await loadWeatherMonth(db, lakeDir, REF);
  t.deepEqual(
    (await loaded()).map((row) => (row as { airport: string }).airport),
    ['SEA'],
  );
});

test('a changed file or manifest is not loaded', async (t) => {
  const { lakeDir, options, folder, db, loaded } = await aLake(t);
  const manifest = await writeWeatherMonth(REF, DAYS, options);
  await appendFile(path.join(folder, manifest.file.name), 'x');
  await t.throwsAsync(verifiedWeatherFile(lakeDir, manifest), { instanceOf: CorruptFileError });
  await t.throwsAsync(loadWeatherMonth(db, lakeDir, REF), { instanceOf: CorruptFileError });
  const file = path.join(folder, 'manifest.json');
  const text = await readFile(file, 'utf8');
  for (const changed of [text.replace('"rows": 2', '"rows": 3'), text.slice(0, 40)]) {
    await writeFile(file, changed);
    await t.throwsAsync(readWeatherManifest(lakeDir, REF), { instanceOf: CorruptFileError });
  }
  t.deepEqual(await loaded(), []);
});

test('leftovers of a killed writer are not read, and the next write removes them', async (t) => {
  const { lakeDir, options, folder, db } = await aLake(t);
  t.deepEqual(await listWeatherMonths(lakeDir), []);
  await t.throwsAsync(loadWeatherMonth(db, lakeDir, REF), { instanceOf: LakeMonthMissingError });
  await writeWeatherMonth(REF, DAYS, options);
  await writeFile(path.join(folder, '.half.tmp'), 'half');
  await writeWeatherMonth(REF, DAYS, options);
  t.false((await readdir(folder)).includes('.half.tmp'));
});

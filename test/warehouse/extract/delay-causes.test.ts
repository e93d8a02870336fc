import { readdir } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { lakeFilePath } from '../../../warehouse/lake/lake.ts';
import { readLevelManifests, readLevelManifest } from '../../../warehouse/lake/level-lake.ts';
import { aCause, EMPTY_FIGURES } from '../../helpers/delay-causes.ts';
import {
  aFile,
  aFolder,
  aParquet,
  extractToLake,
  parquetRows,
  toCsv,
} from '../../helpers/flight-files.ts';

async function causes(lakeDir: string, month: string, columns = '*') {
  const manifest = await readLevelManifest(lakeDir, month);
  if (!manifest) return [];
  return parquetRows(lakeFilePath(lakeDir, month, manifest.files.delayCauses, 'levels'), columns);
}

test('a row of the table becomes a row of its month, in the tree of levels', async (t) => {
  const { lakeDir, report } = await extractToLake(
    t,
    await aFile(t, toCsv([aCause()]), 'table.csv'),
  );
  t.deepEqual(await causes(lakeDir, '2025-02'), [
    {
      month: '2025-02-01',
      carrier: 'DL',
      airport: 'ATL',
      arr_flights: 200,
      arr_del15: 40,
      arr_cancelled: 4,
      arr_diverted: 1,
      carrier_ct: 20.5,
      weather_ct: 1.5,
      nas_ct: 8,
      security_ct: 0,
      late_aircraft_ct: 10,
      arr_delay: 2400,
      carrier_delay: 1200,
      weather_delay: 100,
      nas_delay: 500,
      security_delay: 0,
      late_aircraft_delay: 600,
    },
  ]);
  t.is(report.source.form, 'delay_causes');
  t.deepEqual((await readdir(lakeDir)).toSorted(), ['levels', 'spill']);
});

test('names of airlines and airports, other columns and blank causes do not matter', async (t) => {
  const { arr_delay: _, ...row } = aCause({ weather_ct: '' });
  const named = { ...row, carrier_name: 'Delta Air Lines Inc.', airport_name: 'Atlanta' };
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv([named]), 'table.csv.gz'));
  t.deepEqual(
    await causes(lakeDir, '2025-02', 'carrier, carrier_ct, weather_ct, arr_delay, nas_delay'),
    [{ carrier: 'DL', carrier_ct: 20.5, weather_ct: null, arr_delay: null, nas_delay: 500 }],
  );
});

test('a row without figures means no flights and counts as empty', async (t) => {
  const rows = [aCause(), aCause({ airport: 'JFK', ...EMPTY_FIGURES })];
  const { lakeDir, report } = await extractToLake(t, await aFile(t, toCsv(rows)));
  t.deepEqual(await causes(lakeDir, '2025-02', 'airport'), [{ airport: 'ATL' }]);
  t.deepEqual((await readLevelManifest(lakeDir, '2025-02'))?.rows, {
    read: 2,
    loaded: 1,
    empty: 1,
    rejected: 0,
  });
  t.deepEqual(report.months, [
    {
      month: '2025-02',
      rowsRead: 2,
      rowsLoaded: 1,
      rowsEmpty: 1,
      rowsRejected: 0,
      rejects: {},
      outcome: 'written',
    },
  ]);
});

test('a blank number of late flights is 0 if no flight arrived', async (t) => {
  const nothing = { arr_flights: '3', arr_cancelled: '2', arr_diverted: '1', arr_del15: '' };
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv([aCause(nothing)])));
  t.deepEqual(await causes(lakeDir, '2025-02', 'arr_flights, arr_del15'), [
    { arr_flights: 3, arr_del15: 0 },
  ]);
});

test('bad rows are quarantined with line, column and reason', async (t) => {
  const good = Array.from({ length: 1_100 }, (_, i) =>
    aCause({ airport: [0, 1, 2].map((n) => letter(Math.floor(i / 26 ** n))).join('') }),
  );
  const bad = [
    aCause({ carrier: 'Delta' }),
    aCause({ airport: 'KATL' }),
    aCause({ airport: 'ZZQ', arr_flights: '-1' }),
    aCause({ airport: 'ZZB', arr_cancelled: '' }),
    aCause({ airport: 'ZZC', arr_diverted: '197' }),
    aCause({ airport: 'ZZD', arr_del15: '196' }),
    aCause({ airport: 'ZZE', arr_del15: '' }),
    aCause({ airport: 'ZZF', carrier_ct: '-2' }),
    aCause({ airport: 'ZZG', nas_delay: 'many' }),
    aCause({ airport: 'AAA' }),
  ];
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv([...good, ...bad])));
  const manifest = await readLevelManifest(lakeDir, '2025-02');
  t.truthy(manifest?.files.rejects);
  const file = lakeFilePath(lakeDir, '2025-02', manifest!.files.rejects!, 'levels');
  t.deepEqual(await parquetRows(file), [
    { line: 1_102, column: 'carrier', value: 'Delta', reason: 'invalid_carrier' },
    { line: 1_103, column: 'airport', value: 'KATL', reason: 'invalid_airport' },
    { line: 1_104, column: 'arr_flights', value: '-1', reason: 'invalid_count' },
    { line: 1_105, column: 'arr_cancelled', value: null, reason: 'invalid_count' },
    { line: 1_106, column: 'arr_diverted', value: '197', reason: 'invalid_count' },
    { line: 1_107, column: 'arr_del15', value: '196', reason: 'invalid_count' },
    { line: 1_108, column: 'arr_del15', value: null, reason: 'invalid_count' },
    { line: 1_109, column: 'carrier_ct', value: '-2', reason: 'invalid_cause' },
    { line: 1_110, column: 'nas_delay', value: 'many', reason: 'invalid_minutes' },
    { line: 1_111, column: 'carrier', value: 'DL', reason: 'duplicate_key' },
  ]);
});

test('a month with more than 1 % of bad rows is refused, and other months of the file are written', async (t) => {
  const rows = [aCause(), aCause({ month: '3' }), aCause({ month: '3', carrier: 'Delta' })];
  const { lakeDir, report } = await extractToLake(t, await aFile(t, toCsv(rows)));
  t.deepEqual(
    report.months.map(({ month, outcome }) => [month, outcome]),
    [
      ['2025-02', 'written'],
      ['2025-03', 'refused'],
    ],
  );
  t.deepEqual(
    (await readLevelManifests(lakeDir)).map(({ month }) => month),
    ['2025-02'],
  );
});

test('a month that is not over is rejected', async (t) => {
  const rows = [aCause(), aCause({ year: '2026', month: '11' })];
  await t.throwsAsync(extractToLake(t, await aFile(t, toCsv(rows))), { message: /future_date 1/ });
});

test('a revision by BTS replaces the whole month; the same file again changes nothing', async (t) => {
  const few = { arr_flights: '20', arr_del15: '2', arr_cancelled: '0', arr_diverted: '0' };
  const file = await aFile(t, toCsv([aCause(), aCause({ ...few, carrier: 'AA' })]));
  const { lakeDir } = await extractToLake(t, file);
  const again = await extractToLake(t, file, { lakeDir });
  t.deepEqual(
    again.report.months.map(({ outcome }) => outcome),
    ['unchanged'],
  );
  const revised = await aFile(
    t,
    toCsv([aCause({ arr_flights: '390', arr_del15: '41' }), aCause({ ...few, carrier: 'AA' })]),
  );
  await extractToLake(t, revised, { lakeDir });
  t.deepEqual(await causes(lakeDir, '2025-02', 'carrier, arr_flights, arr_del15'), [
    { carrier: 'AA', arr_flights: 20, arr_del15: 2 },
    { carrier: 'DL', arr_flights: 390, arr_del15: 41 },
  ]);
  const folder = path.join(lakeDir, 'levels', 'year=2025', 'month=02');
  t.is((await readdir(folder)).length, 2, 'only the manifest and its file');
});

test('a table with far fewer flights than the current month is refused, unless forced', async (t) => {
  const wholeTable = await aFile(t, toCsv([aCause(), aCause({ carrier: 'AA' })]));
  const { lakeDir } = await extractToLake(t, wholeTable);
  const filtered = await aFile(t, toCsv([aCause()]));
  const { report } = await extractToLake(t, filtered, { lakeDir });
  t.is(
    report.months[0]?.why,
    "it has 200 flights, the lake 400; it lacks airlines with 50 % of the lake's flights (it has 1, the lake 2); counted by airline and airport, 200 of the lake's 400 flights (50 %) are missing, mainly AA at ATL 200 → 0; FORCE=1 replaces the month anyway",
  );
  await extractToLake(t, filtered, { lakeDir, force: true });
  t.is((await causes(lakeDir, '2025-02')).length, 1);
});

test('a Parquet file of the table is read like a CSV', async (t) => {
  const file = await aParquet(
    t,
    `select 2025 as year, 2 as month, 'WN' as carrier, 'DAL' as airport, 6000.0 as arr_flights,
       900.0 as arr_del15, 30.0 as arr_cancelled, 5.0 as arr_diverted`,
  );
  const { lakeDir } = await extractToLake(t, file);
  t.deepEqual(await causes(lakeDir, '2025-02', 'carrier, arr_flights, arr_del15, carrier_ct'), [
    { carrier: 'WN', arr_flights: 6000, arr_del15: 900, carrier_ct: null },
  ]);
});

test('a month requested as flights is not read from the table', async (t) => {
  const file = await aFile(t, toCsv([aCause()]));
  const deps = createExtractDeps({ lakeDir: await aFolder(t), codeVersion: 'test' });
  await t.throwsAsync(
    extractFile({ path: file, month: '2025-02' }, deps, () => undefined),
    {
      message: /contains the delay-cause table, not flights/,
    },
  );
});

function letter(n: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + (n % 26));
}

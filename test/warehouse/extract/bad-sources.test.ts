import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { lakeFilePath, readManifest } from '../../../warehouse/lake/lake.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import { aReportedFlight, btsCsv } from '../../helpers/bts-files.ts';
import { aFile, aParquet, extractToLake, lakeRows } from '../../helpers/flight-files.ts';
import { aZip } from '../../helpers/zips.ts';

const FLIGHTS = Array.from({ length: 200 }, (_, n) =>
  aReportedFlight({ Flight_Number_Reporting_Airline: `"${n + 1}"` }),
);
const CSV = btsCsv(FLIGHTS);
const FULLER = btsCsv([...FLIGHTS, aReportedFlight({ Dest: '"SFO"' })]);
const RENAMED = FULLER.replace('"CRSDepTime"', '"CRSDepartureTime"');
/** Half of the rows, cut exactly at a line end, so that the file looks complete. */
const HALF = btsCsv(FLIGHTS.slice(100));

/** Hash and modification time of every file of the lake, by name. */
async function lakeState(lakeDir: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const name of (await readdir(lakeDir, { recursive: true })).toSorted()) {
    const stats = await stat(path.join(lakeDir, name));
    if (stats.isFile()) {
      state[name] = `${sha256(await readFile(path.join(lakeDir, name)))} ${stats.mtimeMs}`;
    }
  }
  return state;
}

/** Loads a good month, then tries to load the bad source. The bad source must not change any byte of the lake. */
async function tryBadSource(t: ExecutionContext, content: string | Uint8Array, name?: string) {
  const { lakeDir } = await extractToLake(t, await aFile(t, CSV));
  const before = await lakeState(lakeDir);
  const bad = await aFile(t, content, name);
  const error = await t.throwsAsync(extractToLake(t, bad, { lakeDir }), {
    instanceOf: SourceFormatError,
  });

  t.true(Object.keys(before).some((file) => file.endsWith('manifest.json')));
  t.deepEqual(await lakeState(lakeDir), before);
  return error?.message;
}

/** The CSV in each supported container: text, gzip, zip and Parquet. */
async function packInEachContainer(t: ExecutionContext, csv: string) {
  const text = await aFile(t, csv);
  const parquet = await aParquet(t, `from read_csv('${text}', all_varchar = true)`);
  return [
    { name: 'a.csv', content: Buffer.from(csv) },
    { name: 'a.csv.gz', content: gzipSync(csv) },
    { name: 'a.zip', content: aZip([{ name: 'a.csv', content: csv }]) },
    { name: 'a.parquet', content: await readFile(parquet) },
  ];
}

test('a file with a renamed column changes nothing, in any container', async (t) => {
  for (const { name, content } of await packInEachContainer(t, RENAMED)) {
    t.regex((await tryBadSource(t, content, name)) ?? '', /these columns are missing: crsdeptime$/);
  }
});

test('half the rows, cut at a line end, change nothing, in any container', async (t) => {
  for (const { name, content } of await packInEachContainer(t, HALF)) {
    const { lakeDir } = await extractToLake(t, await aFile(t, CSV));
    const before = await lakeState(lakeDir);
    const half = await aFile(t, content, name);
    const { report } = await extractToLake(t, half, { lakeDir });
    t.like(report.months, [
      {
        month: '2025-03',
        outcome: 'refused',
        why: "it has 100 flights, the lake 200; counted by airline, airport and day, 100 of the lake's 200 flights (50 %) are missing, mainly DL at JFK 200 → 100; FORCE=1 replaces the month anyway",
      },
    ]);
    t.deepEqual(await lakeState(lakeDir), before);

    await extractToLake(t, half, { lakeDir, force: true });
    t.is((await lakeRows(lakeDir, '2025-03', 'flights')).length, 100);
  }
});

test('aggregates of half the flights do not replace the flights', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, CSV));
  const before = await lakeState(lakeDir);
  const aggregates = await aParquet(
    t,
    `select date '2025-03-01' as month, 'DL' as carrier, 'JFK' as origin, 'LAX' as dest, 8 as crs_dep_hour,
     'arrival' as delay_basis, 100 as flight_count, 0 as cancelled_count, 0 as diverted_count, 100 as completed_count,
     0 as delayed15_count, 0 as delayed_count, 0 as delayed60_count, 0 as delayed120_count, 0 as delayed_min_sum`,
  );
  const { report } = await extractToLake(t, aggregates, { lakeDir });

  t.deepEqual(
    report.months.map(({ month, outcome }) => [month, outcome]),
    [['2025-03', 'refused']],
  );
  t.deepEqual(await lakeState(lakeDir), before);
});

test('any file of a month repairs the damaged month in the lake', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, CSV));
  const manifest = await readManifest(lakeDir, '2025-03');
  await writeFile(lakeFilePath(lakeDir, '2025-03', manifest!.files.routeHours), 'damaged');
  const { report } = await extractToLake(t, await aFile(t, HALF), { lakeDir });

  t.is(report.months[0]?.outcome, 'written');
});

test('half a CSV changes nothing', async (t) => {
  const half = FULLER.slice(0, FULLER.length / 2);

  t.regex(
    (await tryBadSource(t, half)) ?? '',
    /: is cut short: its last line has .* and no line end/,
  );
});

test('half a gzip, half a zip and half a Parquet file change nothing', async (t) => {
  const [, gzip, zip, parquet] = await packInEachContainer(t, FULLER);
  const half = ({ content, name }: { content: Buffer; name: string } = gzip!) =>
    tryBadSource(t, content.subarray(0, content.length / 2), name);

  t.regex((await half(gzip)) ?? '', /: is damaged gzip: /);
  t.regex((await half(zip)) ?? '', /: is a damaged zip: /);
  t.regex((await half(parquet)) ?? '', /: /);
});

test('a gzip and a Parquet file with wrong bytes in them change nothing', async (t) => {
  const [, gzip, , parquet] = await packInEachContainer(t, FULLER);
  const damaged = ({ content, name }: { content: Buffer; name: string } = gzip!) => {
    const bytes = Buffer.from(content);
    const middle = Math.floor(bytes.length / 2);
    bytes.fill(0xff, middle, middle + 64);
    return tryBadSource(t, bytes, name);
  };

  t.regex((await damaged(gzip)) ?? '', /: is damaged gzip: /);
  t.regex((await damaged(parquet)) ?? '', /: /);
});

test('a zip with a wrong byte in it changes nothing', async (t) => {
  const zip = aZip([{ name: 'a.csv', content: FULLER, method: 0 }]);
  zip[zip.indexOf('LAX')]! ^= 1;

  t.is(
    await tryBadSource(t, zip, 'a.zip'),
    'a.zip: is a damaged zip: "a.csv" does not match its checksum',
  );
});

test('a file with a hole of NUL bytes changes nothing', async (t) => {
  const bytes = Buffer.from(FULLER);
  bytes.fill(0, 40_000, 44_000);

  t.is(await tryBadSource(t, bytes), 'flights.csv: is damaged: it contains NUL bytes');
});

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { SourceFormatError } from '../../../pipelines/errors.ts';
import { sha256 } from '../../../warehouse/sha256.ts';
import { aReportedFlight, btsCsv } from '../../helpers/bts-files.ts';
import { aFile, extracted } from '../../helpers/flight-files.ts';
import { aZip } from '../../helpers/zips.ts';

const FLIGHTS = Array.from({ length: 200 }, () => aReportedFlight());
const CSV = btsCsv(FLIGHTS);
const FULLER = btsCsv([...FLIGHTS, aReportedFlight({ Dest: '"SFO"' })]);

/** Every file of the lake by name: the hash of its bytes, and when it was written. */
async function lakeState(lakeDir: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const name of (await readdir(lakeDir, { recursive: true })).toSorted()) {
    const found = await stat(path.join(lakeDir, name));
    if (found.isFile()) {
      state[name] = `${sha256(await readFile(path.join(lakeDir, name)))} ${found.mtimeMs}`;
    }
  }
  return state;
}

/** Loads a good month, then tries the bad source; the lake must not change by a byte. */
async function leavesTheLake(t: ExecutionContext, content: string | Uint8Array, name?: string) {
  const { lakeDir } = await extracted(t, await aFile(t, CSV));
  const before = await lakeState(lakeDir);
  const bad = await aFile(t, content, name);
  const error = await t.throwsAsync(extracted(t, bad, { lakeDir }), {
    instanceOf: SourceFormatError,
  });

  t.true(Object.keys(before).some((file) => file.endsWith('manifest.json')));
  t.deepEqual(await lakeState(lakeDir), before);
  return error?.message;
}

test('a renamed column changes nothing', async (t) => {
  const renamed = FULLER.replace('"CRSDepTime"', '"CRSDepartureTime"');

  t.regex((await leavesTheLake(t, renamed)) ?? '', /without the columns: crsdeptime$/);
});

test('half a CSV changes nothing', async (t) => {
  const half = FULLER.slice(0, FULLER.length / 2);

  t.regex((await leavesTheLake(t, half)) ?? '', /: is cut short: its last line has no end and /);
});

test('half a gzip and half a zip change nothing', async (t) => {
  const gzip = gzipSync(FULLER);
  const zip = aZip([{ name: 'a.csv', content: FULLER }]);

  t.regex(
    (await leavesTheLake(t, gzip.subarray(0, gzip.length / 2), 'a.csv.gz')) ?? '',
    /: is damaged gzip: /,
  );
  t.regex(
    (await leavesTheLake(t, zip.subarray(0, zip.length / 2), 'a.zip')) ?? '',
    /: is a damaged zip: /,
  );
});

test('a zip with a wrong byte in it changes nothing', async (t) => {
  const zip = aZip([{ name: 'a.csv', content: FULLER, method: 0 }]);
  zip[zip.indexOf('LAX')]! ^= 1;

  t.is(
    await leavesTheLake(t, zip, 'a.zip'),
    'a.zip: is a damaged zip: "a.csv" does not match its checksum',
  );
});

test('a file with a hole in it changes nothing', async (t) => {
  const bytes = Buffer.from(FULLER);
  bytes.fill(0, 40_000, 44_000);

  t.is(await leavesTheLake(t, bytes), 'flights.csv: is damaged: it holds NUL bytes');
});

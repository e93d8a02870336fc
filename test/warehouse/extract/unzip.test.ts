import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { fileSha256 } from '../../../warehouse/ground/hashes.ts';
import { aReportedFlight, btsCsv } from '../../helpers/bts-files.ts';
import { aFile, aFolder, extractToLake, lakeRows } from '../../helpers/flight-files.ts';
import { aZip, deflatedZeros, type ZipEntry } from '../../helpers/zips.ts';

const CSV = btsCsv([aReportedFlight()]);
const NAME = 'On_Time_Reporting_Carrier_On_Time_Performance_(1987_present)_2025_3.csv';
const README: ZipEntry = { name: 'readme.html', content: '<html></html>' };

/** Returns the reason why a zip is refused; also checks that nothing of it is left. */
async function refusal(t: ExecutionContext, content: Uint8Array | string, name = 'bts.zip') {
  const lakeDir = await aFolder(t);
  const file = await aFile(t, content, name);
  const error = await t.throwsAsync(extractToLake(t, file, { lakeDir }), {
    instanceOf: SourceFormatError,
  });
  const remaining = await readdir(lakeDir, { recursive: true });
  t.deepEqual(
    remaining.filter((entry) => entry !== 'spill'),
    [],
  );
  return error?.message;
}

test('the CSV of a zip is read, a readme beside it is ignored', async (t) => {
  const file = await aFile(t, aZip([README, { name: NAME, content: CSV }]), 'bts.zip');
  const { lakeDir, report } = await extractToLake(t, file);

  t.deepEqual(report.source, {
    name: 'bts.zip',
    sha256: await fileSha256(file),
    bytes: (await readFile(file)).length,
    form: 'bts_reporting',
  });
  t.deepEqual(await lakeRows(lakeDir, '2025-03', 'flights', 'carrier, origin, dest'), [
    { carrier: 'DL', origin: 'JFK', dest: 'LAX' },
  ]);
  t.deepEqual(await readdir(path.join(lakeDir, 'spill')), []);
});

test('a zip is detected by its bytes, may be stored, and may contain folders and macOS metadata', async (t) => {
  const zip = aZip([
    { name: 'month/', content: '' },
    { name: 'month/flights.CSV', content: CSV, method: 0 },
    { name: '__MACOSX/month/._flights.csv', content: 'x' },
  ]);
  const { report } = await extractToLake(t, await aFile(t, zip, 'flights.csv'));

  t.like(report, { rowsLoaded: 1 });
});

test('a zip that does not match its checksum is refused', async (t) => {
  t.is(
    await refusal(t, aZip([{ name: 'a.csv', content: CSV, crc: 1 }])),
    'bts.zip: is a damaged zip: "a.csv" does not match its checksum',
  );
  t.is(
    await refusal(t, aZip([{ name: 'a.csv', content: CSV, size: CSV.length + 1 }])),
    'bts.zip: is a damaged zip: "a.csv" does not match its checksum',
  );
});

test('a zip with one wrong byte anywhere in its data is refused', async (t) => {
  const zip = aZip([{ name: 'a.csv', content: CSV }]);
  for (const at of [40, 200, 500, 700]) {
    const flipped = Buffer.from(zip);
    flipped[at]! ^= 4;
    t.regex((await refusal(t, flipped)) ?? '', /^bts\.zip: is a damaged zip/);
  }
});

test('a truncated zip is refused, wherever it ends', async (t) => {
  const zip = aZip([README, { name: 'a.csv', content: CSV }]);

  for (const length of [4, 60, 300, zip.length - 30, zip.length - 1]) {
    t.regex((await refusal(t, zip.subarray(0, length))) ?? '', /^bts\.zip: is a damaged zip: /);
  }
});

test('a web page instead of a zip is refused as HTML', async (t) => {
  t.is(
    await refusal(t, '<!DOCTYPE html>\n<html><body>Not found</body></html>\n'),
    'bts.zip: looks like HTML or XML, not CSV',
  );
});

test('a zip must contain exactly one CSV', async (t) => {
  const csv = (name: string) => ({ name, content: CSV });

  t.is(
    await refusal(t, aZip([csv('a.csv'), README, csv('b/a.csv')])),
    'bts.zip: contains 2 CSV files, but only one is supported: "a.csv" and "b/a.csv"',
  );
  t.is(await refusal(t, aZip([README])), 'bts.zip: is a zip without a CSV in it: "readme.html"');
  t.is(await refusal(t, aZip([])), 'bts.zip: is a zip without a CSV in it: empty');
  t.is(
    await refusal(t, aZip([{ name: 'a.zip', content: aZip([csv('a.csv')]) }])),
    'bts.zip: is a zip without a CSV in it: "a.zip"',
  );
  t.is(
    await refusal(t, aZip([{ name: 'a.csv', content: aZip([csv('a.csv')]) }])),
    'bts.zip: is not a text file, or its first line is longer than 64 KiB',
  );
  t.is(
    await refusal(t, aZip([{ name: 'a.csv', content: '' }])),
    'bts.zip: contains "a.csv", which is empty',
  );
  t.is(
    await refusal(t, aZip(Array.from({ length: 101 }, (_, n) => csv(`${n}.txt`)))),
    'bts.zip: is a zip of more than 100 files',
  );
});

test('file names that point outside the zip are refused', async (t) => {
  const zipWithName = (name: string) => aZip([{ name, content: CSV }]);

  t.is(
    await refusal(t, zipWithName('../../a.csv')),
    'bts.zip: is a damaged zip: invalid relative path: ../../a.csv',
  );
  t.is(
    await refusal(t, zipWithName('/etc/a.csv')),
    'bts.zip: is a damaged zip: absolute path: /etc/a.csv',
  );
  t.is(
    await refusal(t, zipWithName('..\\a.csv')),
    'bts.zip: is a damaged zip: invalid relative path: ../a.csv',
  );
});

test('an encrypted zip and an unknown compression are refused', async (t) => {
  t.is(
    await refusal(t, aZip([{ name: 'a.csv', content: CSV, flags: 1 }])),
    'bts.zip: is encrypted: "a.csv" needs a password',
  );
  t.is(
    await refusal(t, aZip([{ name: 'a.csv', content: CSV, method: 9 }])),
    'bts.zip: is compressed by method 9; only stored and deflated are supported',
  );
});

test('ten gigabytes in a small zip are refused, even if the zip declares another size', async (t) => {
  const bomb = { name: 'a.csv', content: deflatedZeros(10), isPacked: true };
  const before = process.cpuUsage();

  t.is(
    await refusal(t, aZip([{ ...bomb, size: 10 * 1024 ** 3 }])),
    'bts.zip: unpacks to more than 4 GB, too much for flight files',
  );
  t.is(
    await refusal(t, aZip([{ ...bomb, size: 3 * 1024 ** 3 }])),
    'bts.zip: unpacks to more than 100 times its size, which no flight file does',
  );
  t.is(
    await refusal(t, aZip([{ ...bomb, size: 1000 }])),
    'bts.zip: is a damaged zip: it unpacks to more than the 1000 bytes it declares',
  );
  // CPU time, because it does not depend on the load of the machine. Unpacking three times takes longer.
  const { user, system } = process.cpuUsage(before);
  t.true(user + system < 20e6, `${user + system} us`);
});

test('an Office document is refused', async (t) => {
  const sheet = [
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: 'xl/workbook.xml', content: '<workbook/>' },
  ];

  t.is(
    await refusal(t, aZip(sheet), 'flights.xlsx'),
    'flights.xlsx: is an Office document, not a CSV, gzip, zip or Parquet file',
  );
});

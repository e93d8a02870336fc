import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { inspect as inspectWith } from '../../../warehouse/extract/inspect.ts';
import { aFile, aFlight, aParquet, toCsv } from '../../helpers/flight-files.ts';

/** Inspects a file that needs no unpacking. */
const inspect = (file: string) => inspectWith(file, () => Promise.reject(new Error('no spill')));

async function refusal(t: ExecutionContext, content: string | Uint8Array, name?: string) {
  const file = await aFile(t, content, name);
  return (await t.throwsAsync(inspect(file), { instanceOf: SourceFormatError }))?.message;
}

test('the format of a file is detected by its first bytes, not its name', async (t) => {
  const csv = toCsv([aFlight(), aFlight()]);
  const parquet = await readFile(await aParquet(t, 'select 1 as a, 2 as "B c"'));

  t.like(await inspect(await aFile(t, csv, 'flights.parquet')), {
    name: 'flights.parquet',
    container: 'csv',
    bytes: csv.length,
    rowCount: 2,
  });
  t.like(await inspect(await aFile(t, gzipSync(csv), 'flights.csv')), {
    container: 'csv.gz',
    rowCount: 2,
  });
  const sourceFile = await inspect(await aFile(t, parquet, 'flights.csv.gz'));
  t.like(sourceFile, { container: 'parquet', rowCount: 1 });
  t.deepEqual(sourceFile.header, ['a', 'B c']);
});

test('the hash is of the bytes of the file', async (t) => {
  t.is(
    (await inspect(await aFile(t, 'a\n1\n'))).sha256,
    '309b0e45a73d3fc5325e2b6ed0a01ef8b9cde6b05a5633c1f893f970d52bfddc',
  );
});

test('a header may be quoted, start with a byte order mark and end in a comma', async (t) => {
  const file = await aFile(t, '\uFEFF"FL_DATE", dest ,"say ""hi"", you",\r\n1,2,3,\r\n');

  t.deepEqual((await inspect(file)).header, ['FL_DATE', 'dest', 'say "hi", you', '']);
});

test('rows are non-blank lines, with or without a final line end', async (t) => {
  t.like(await inspect(await aFile(t, 'a,b\r\n1,2\r\n\r\n3,4\r\n\r\n')), {
    rowCount: 2,
    blankLines: [3, 5],
  });
  t.like(await inspect(await aFile(t, 'a,b\n1,2\n3,4')), { rowCount: 2 });
});

test('lines are counted across the chunks of a file', async (t) => {
  const line = `${'x'.repeat(98)}\r\n`;

  t.like(await inspect(await aFile(t, line.repeat(30_001))), { rowCount: 30_000 });
});

test('an empty file and a file with only a header are refused', async (t) => {
  t.is(await refusal(t, ''), 'flights.csv: is empty');
  t.is(await refusal(t, 'FL_DATE,ORIGIN\n'), 'flights.csv: has no rows');
  t.is(await refusal(t, gzipSync(''), 'flights.csv.gz'), 'flights.csv.gz: has no rows');
});

test('truncated or damaged gzip is refused, up to its last byte', async (t) => {
  const wholeGzip = gzipSync(toCsv([aFlight(), aFlight({ DEST: 'SFO' })]));
  const flipped = Buffer.from(wholeGzip);
  flipped[flipped.length - 6]! ^= 1;

  t.is(
    await refusal(t, wholeGzip.subarray(0, wholeGzip.length - 1), 'a.csv.gz'),
    'a.csv.gz: is damaged gzip: unexpected end of file',
  );
  t.is(await refusal(t, flipped, 'a.csv.gz'), 'a.csv.gz: is damaged gzip: incorrect data check');
});

test('truncated Parquet and Parquet with a damaged footer are refused', async (t) => {
  const wholeFile = await readFile(await aParquet(t, 'select 1 as a'));
  const broken = Buffer.from(wholeFile);
  broken.fill(255, wholeFile.length - 60, wholeFile.length - 10);

  t.is(
    await refusal(t, wholeFile.subarray(0, wholeFile.length - 1), 'a.parquet'),
    'a.parquet: is a Parquet file cut short',
  );
  t.regex((await refusal(t, broken, 'a.parquet')) ?? '', /^a\.parquet: cannot be read: /);
});

test('web pages, archives and other files are not read as CSV', async (t) => {
  t.is(
    await refusal(t, '\n<!DOCTYPE html>\n<html></html>\n'.trimStart()),
    'flights.csv: looks like HTML or XML, not CSV',
  );
  for (const start of ['7z\u00BC\u00AF\u0027\u001C', 'Rar!\u001A\u0007', 'BZh91AY', '%PDF-1.7']) {
    t.is(
      await refusal(t, Buffer.from(`${start}....`, 'latin1')),
      'flights.csv: is not a CSV, gzip, zip or Parquet file',
    );
  }
  t.is(
    await refusal(t, Buffer.alloc(100)),
    'flights.csv: is not a text file, or its first line is longer than 64 KiB',
  );
  t.is(
    await refusal(t, 'a'.repeat(70_000)),
    'flights.csv: is not a text file, or its first line is longer than 64 KiB',
  );
  t.is(await refusal(t, '\na,b\n1,2\n'), 'flights.csv: starts with a blank line, not a header');
});

test('a file with mixed or old line ends is refused, because the reader would stop in the middle', async (t) => {
  t.is(
    await refusal(t, 'a,b\r1,2\r'),
    'flights.csv: ends its lines with CR only; only LF and CR LF are supported',
  );
  t.is(
    await refusal(t, 'a,b\r\r\n1,2\r\r\n'),
    'flights.csv: ends its lines with CR CR LF; only LF and CR LF are supported',
  );
  t.is(
    await refusal(t, 'a,b\r\n1,2\n3,4\r\n'),
    'flights.csv: mixes line ends: 2 lines end in CR LF, 1 in LF',
  );
});

test('a missing path and a folder are refused with a final error', async (t) => {
  const file = await aFile(t, 'a\n1\n');
  const missing = `${file}.gone`;

  const missingError = await t.throwsAsync(inspect(missing), { instanceOf: SourceFormatError });
  const folder = await t.throwsAsync(inspect(path.dirname(file)), {
    instanceOf: SourceFormatError,
  });

  t.is(missingError?.message, `flights.csv.gone: there is no file ${missing}`);
  t.regex(folder?.message ?? '', /: is a folder or a device, not a file$/);
});

test('a text that ends within a line is truncated, a text that lacks only its last line end is complete', async (t) => {
  t.is(
    await refusal(t, 'a,b,c\n1,2,3\n4,'),
    'flights.csv: is cut short: its last line has 2 of 3 columns and no line end',
  );
  t.is(
    await refusal(t, 'a,b,c\r\n1,2,3\r\n4,"x, y'),
    'flights.csv: is cut short: its last line has an open quote and no line end',
  );
  t.like(await inspect(await aFile(t, 'a,b,c\n1,2,3\n4,"x, y",')), { rowCount: 2 });
});

test('gzip that expands excessively is refused before it is read completely', async (t) => {
  const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const blank = gzipSync('\n'.repeat(1024 * 1024));

  t.is(
    await refusal(t, Buffer.concat([gzipSync('a,b\n1,2\n'), ...Array(40).fill(zeros)])),
    'flights.csv: unpacks to more than 100 times its size, which no flight file does',
  );
  t.is(
    await refusal(t, Buffer.concat([gzipSync('a,b\n1,2\n'), ...Array(4000).fill(blank)])),
    'flights.csv: has more than 100000 blank lines',
  );
});

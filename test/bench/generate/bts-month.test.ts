import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openPromise } from 'yauzl';
import { btsCsvName, writeBtsMonth } from '../../../bench/generate/bts-month.ts';
import { btsFileName } from '../../../pipelines/flights/months.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import { aFolder } from '../../helpers/flight-files.ts';

async function aMonth(t: ExecutionContext, options: { rows?: number; seed?: number } = {}) {
  const file = path.join(await aFolder(t), 'month.csv');
  const summary = await writeBtsMonth(file, { month: '2025-03', rows: 2000, ...options });
  return { file, summary };
}

test('a month has the requested number of rows, with 109 named columns and one without a name', async (t) => {
  const { file, summary } = await aMonth(t);
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const columns = await db.rows('select 1 from (describe from read_csv($file, header = true))', {
    file,
  });
  const [row] = await db.rows(
    `select count(*) as rows, min(FlightDate)::varchar as first, max(FlightDate)::varchar as last,
       bool_or(Cancelled = 1) as cancelled, bool_or(OriginCityName like '%, %') as commas,
       bool_or(CRSArrTime::integer < CRSDepTime::integer) as overnight
     from read_csv($file, header = true, ignore_errors = true)`,
    { file },
  );

  t.is(columns.length, 110);
  t.like(summary, { month: '2025-03', rows: 2000 });
  t.deepEqual(row, {
    rows: 2000,
    first: '2025-03-01',
    last: '2025-03-31',
    cancelled: true,
    commas: true,
    overnight: true,
  });
});

test('the same seed gives the same bytes, and another seed gives different bytes', async (t) => {
  const hashes: string[] = [];
  for (const seed of [7, 7, 8]) {
    const { file } = await aMonth(t, { rows: 500, seed });
    hashes.push(sha256(await readFile(file)));
  }

  t.is(hashes[0], hashes[1]);
  t.not(hashes[0], hashes[2]);
});

test('rows are corrupted at the requested rate', async (t) => {
  const file = path.join(await aFolder(t), 'month.csv');

  t.like(await writeBtsMonth(file, { month: '2025-03', rows: 100, badRowRate: 0 }), { badRows: 0 });
  t.like(await writeBtsMonth(file, { month: '2025-03', rows: 100, badRowRate: 1 }), {
    badRows: 100,
  });
});

test('a zip has the names of BTS, and the same bytes every time', async (t) => {
  const folder = await aFolder(t);
  const file = path.join(folder, btsFileName('2025-03'));
  await writeBtsMonth(file, { month: '2025-03', rows: 100 });
  const before = await readFile(file);
  await writeBtsMonth(file, { month: '2025-03', rows: 100 });
  const names: string[] = [];
  for await (const entry of (await openPromise(file)).eachEntry()) {
    names.push(entry.fileName);
  }

  t.is(
    path.basename(file),
    'On_Time_Marketing_Carrier_On_Time_Performance_Beginning_January_2018_2025_3.zip',
  );
  t.deepEqual(names, ['readme.html', btsCsvName('2025-03')]);
  t.true((await readFile(file)).equals(before));
});

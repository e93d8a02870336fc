import { execFile, spawnSync } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { readingExamples } from '../../../api/explorer/views/snapshots/reading-examples.ts';
import { pythonWithPandas, SPREADSHEET } from '../../../jobs/cli/setup.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import { listSnapshots, type SnapshotFile } from '../../../warehouse/snapshots/snapshots.ts';
import { aSnapshotFolder, FORECASTS } from '../../helpers/snapshot-folder.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { textOf } from '../helpers/page-get.ts';
import { serveApi } from '../helpers/served.ts';

const run = promisify(execFile);

/** A served API with one snapshot. */
async function aService(t: ExecutionContext) {
  const dataDir = await tempDir(t);
  const snapshot = await aSnapshotFolder(dataDir);
  let waitS = 0;
  const base = await serveApi(t, {
    ...explorerDeps({ admit: () => Promise.resolve(waitS) }),
    snapshots: () => listSnapshots(dataDir),
  });
  return {
    ...{ base, snapshot, dataDir },
    get: (name: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${base}/data/${snapshot.version}/${name}`, { headers, method }),
    page: async () => textOf(await (await fetch(`${base}/data`, PAGE)).text()),
    refuse: () => void (waitS = 7),
  };
}

const PAGE = { headers: { accept: 'text/html' } };

test('without a snapshot, the page says when files are written, and operators find the command', async (t) => {
  const base = await serveApi(t, { ...explorerDeps(), snapshots: () => Promise.resolve([]) });
  const text = textOf(await (await fetch(`${base}/data`, PAGE)).text());
  t.regex(
    text,
    /There are no files yet\. Headwind writes them on the 2nd of each month\..*For administrators of this server.*make snapshot/s,
  );
});

test('the page lists rows, columns, files, checksums and terms; footer, sitemap and llms.txt link to it', async (t) => {
  const { base, snapshot, page, dataDir } = await aService(t);
  const text = await page();
  for (const part of [
    ...['December 2026', 'Rows 3', 'Columns 14', snapshot.storeVersion],
    ...snapshot.files.map(({ sha256: hash }) => hash),
    'Source: The bureau. In the public domain.',
    'the terms do not allow passing the figures on: CAA.',
    ...snapshot.columns.map(({ about }) => about),
  ]) {
    t.true(text.includes(part), part);
  }
  t.false(text.includes('Not offered'));
  const markup = await (await fetch(`${base}/status`, PAGE)).text();
  t.true(markup.includes('href="/data"'));
  t.true((await (await fetch(`${base}/sitemap.xml`)).text()).includes(`<loc>${base}/data</loc>`));
  t.true((await (await fetch(`${base}/llms.txt`)).text()).includes('(/data)'));
  await appendFile(join(dataDir, 'snapshots', snapshot.version, 'forecasts.csv'), 'x');
  t.true((await page()).includes('Not offered, because missing or damaged: forecasts.csv.'));
});

test('a file is sent as an attachment with a strong ETag, whole or in parts', async (t) => {
  const { get, snapshot } = await aService(t);
  const [parquet, csv] = snapshot.files as [SnapshotFile, SnapshotFile];
  const whole = await get('forecasts.parquet');
  t.is(whole.status, 200);
  t.is(sha256(await whole.bytes()), parquet.sha256);
  const header = (name: string) => whole.headers.get(name);
  t.is(header('etag'), `"${parquet.sha256}"`);
  t.is(header('content-length'), String(parquet.bytes));
  t.is(header('content-disposition'), 'attachment; filename="headwind-2026-12-forecasts.parquet"');
  t.is(header('accept-ranges'), 'bytes');
  t.is(header('content-type'), 'application/octet-stream');
  const etag = `"${csv.sha256}"`;
  // Without `cache-control`, `fetch` adds `no-cache`, and the server then sends the whole file.
  const again = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
  t.is((await get('forecasts.csv', again)).status, 304);
  const content = await readFile(join(snapshot.folder, 'forecasts.csv'));
  const part = await get('forecasts.csv', { range: 'bytes=10-19', 'if-range': etag });
  t.is(part.status, 206);
  t.is(part.headers.get('content-range'), `bytes 10-19/${content.length}`);
  t.deepEqual(Buffer.from(await part.bytes()), content.subarray(10, 20));
  const end = await get('forecasts.csv', { range: 'bytes=-5' });
  t.deepEqual(Buffer.from(await end.bytes()), content.subarray(-5));
  const other = await get('forecasts.csv', { range: 'bytes=0-4', 'if-range': '"other"' });
  t.is(other.status, 200, 'the caller has parts of another file');
  t.is((await other.bytes()).length, content.length);
  const after = await get('forecasts.csv', { range: `bytes=${content.length}-` });
  t.is(after.status, 416);
  t.is(after.headers.get('content-range'), `bytes */${content.length}`);
  const head = await get('forecasts.csv', {}, 'HEAD');
  t.is(head.headers.get('content-length'), String(content.length));
  t.is((await head.bytes()).length, 0);
  t.is(await (await get('manifest.jws')).text(), 'header..signature');
});

test('only listed files can be downloaded, within the limit of all visits', async (t) => {
  const { get, refuse, dataDir, base } = await aService(t);
  await writeFile(join(dataDir, 'secret'), 'secret');
  for (const name of ['other.csv', '..%2F..%2Fsecret', '%2e%2e/%2e%2e/secret', '.']) {
    t.is((await get(name)).status, 404, name);
  }
  t.is((await fetch(`${base}/data/..%2F/secret`)).status, 404);
  refuse();
  const refused = await get('forecasts.csv');
  t.is(refused.status, 429);
  t.is(refused.headers.get('retry-after'), '7');
});

test('DuckDB reads the downloaded Parquet file as on the page', async (t) => {
  const { get, snapshot } = await aService(t);
  const folder = await tempDir(t);
  const file = join(folder, 'forecasts.parquet');
  await writeFile(file, await (await get('forecasts.parquet')).bytes());
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const [duckdb] = readingExamples(snapshot, 'http://site');
  const query = duckdb?.code.replace(/'http.*parquet'/, `'${file}'`) ?? '';
  t.deepEqual(await db.rows(query.replace(';', '')), [
    { airline: '9E', destination: 'LAX', dep_hour: 8, score: 41.5 },
    { airline: 'DL', destination: 'BOS', dep_hour: null, score: 12.25 },
  ]);
});

const python = pythonWithPandas();

(python === undefined ? test.skip : test)('pandas reads the CSV as on the page', async (t) => {
  const { base, snapshot } = await aService(t);
  const [, pandas] = readingExamples(snapshot, base);
  const code = `${pandas?.code}
print(forecasts.dtypes["dep_hour"], list(forecasts["airline"]), forecasts["dep_hour"].isna().sum(), len(forecasts))`;
  const { stdout } = await run(python ?? '', ['-c', code]);
  t.regex(stdout, /9E +LAX +8\.0 +41\.50\n.* +DL +BOS +NaN +12\.25/);
  t.is(stdout.trim().split('\n').at(-1), "float64 ['9E', 'DL', 'NA'] 1 3");
});

const hasSpreadsheet = spawnSync(SPREADSHEET, ['--version']).status === 0;

(hasSpreadsheet ? test : test.skip)('a spreadsheet opens the CSV with all rows', async (t) => {
  const { get, snapshot } = await aService(t);
  const folder = await tempDir(t);
  const [csv, sheet, back] = ['forecasts.csv', 'forecasts.xlsx', 'back.csv'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(csv, await (await get('forecasts.csv')).bytes());
  await run(SPREADSHEET, [csv, sheet]);
  await run(SPREADSHEET, [sheet, back]);
  const [header, ...rows] = (await readFile(back, 'utf8')).trim().split('\n');
  t.is(header, snapshot.columns.map(({ name }) => name).join(','));
  t.is(rows.length, FORECASTS.length);
  t.true(rows.some((row) => row.includes('JFK,LAX,8,41.5,0.12,0.15,0.9,100')));
});

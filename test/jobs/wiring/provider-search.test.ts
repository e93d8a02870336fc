import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createProviderSearch, folderOf } from '../../../jobs/wiring/provider-search-steps.ts';
import { JSON_TABLES } from '../../../pipelines/providers/index.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { createHttpGet } from '../../../pipelines/http-get.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { listen } from '../../helpers/listen.ts';
import { tempDir } from '../helpers/temp-dir.ts';

type Answer = { status?: number; type?: string; body: string };

/** A data folder with the step that searches a local server, whose answers depend on the path. */
async function aSearch(t: ExecutionContext, provider: string, answer: (path: string) => Answer) {
  const requests: string[] = [];
  const port = await listen(t, (request, response) => {
    requests.push(request.url ?? '');
    const { status = 200, type = 'application/json', body } = answer(request.url ?? '');
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  const dataDir = await tempDir(t);
  const lakeDir = join(dataDir, 'lake');
  await mkdir(lakeDir);
  const deps = createExtractDeps({ lakeDir, codeVersion: 'test', jsonTables: JSON_TABLES });
  const config = {
    ...{ dataDir, codeVersion: 'test', offline: false },
    providerUrls: { [provider]: `http://127.0.0.1:${port}` },
  };
  const get = createHttpGet({ pauseMs: 0 });
  const search = (now: string) =>
    createProviderSearch({ ...config, now: () => new Date(now) }, deps, get).searchProvider(
      provider,
      () => undefined,
    );
  const load = (path: string) => extractFile({ path }, deps, () => undefined);
  return { dataDir, requests, search, load };
}

/** An answer of Hong Kong for a day: one flight, at gate 5 minutes late. */
function hongKong(path: string, status = 'At gate 08:20'): Answer {
  const { searchParams } = new URL(path, 'http://hk');
  const arrival = searchParams.get('arrival') === 'true';
  const flight = [
    { no: 'CX 500', airline: 'CPA' },
    { no: 'JL 7001', airline: 'JAL' },
  ];
  const place = arrival ? { origin: ['NRT'] } : { destination: ['NRT'] };
  const entry = { time: '08:15', flight, ...place, status, terminal: 'T1' };
  const date = searchParams.get('date');
  return { body: JSON.stringify([{ date, arrival, cargo: false, list: [entry] }]) };
}

test('Hong Kong is collected for 91 days, and the files of its months load', async (t) => {
  const { dataDir, requests, search, load } = await aSearch(t, 'hkia', (path) => hongKong(path));
  const { files, summary } = await search('2026-01-20T02:00:00Z');
  t.is(requests.length, 2 * (91 + 15));
  t.is(requests[0], '/past?date=2025-10-21&lang=en&cargo=false&arrival=true');
  t.is(summary, '182 new or changed lists of past days, 30 of future days');
  t.deepEqual(
    files.map(({ period }) => period),
    ['2025-10', '2025-11', '2025-12', '2026-01'],
  );
  const december = await load(files[2]?.path ?? '');
  t.like(december, { rowsRead: 62, rowsLoaded: 62 });
  t.is(december.source.provider, 'hkia');
  const ahead = (await readdir(join(dataDir, 'collected/hkia'))).filter((name) =>
    name.startsWith('ahead-'),
  );
  t.is(ahead.length, 30);
  const list = await readFile(
    join(dataDir, 'collected/hkia/ahead-2026-02-03-arrival.json'),
    'utf8',
  );
  t.regex(list, /"JL 7001"/, 'with codeshares');
});

test('two processes can write the same list at the same time', async (t) => {
  const { folder } = folderOf({ dataDir: await tempDir(t), now: () => new Date() }, 'hkia');
  const name = '2026-01-19-arrival.json';
  await Promise.all(Array.from({ length: 10 }, () => folder.write(name, '[]')));
  t.deepEqual([...(await folder.list()).keys()], [name]);
  t.is(await folder.read(name), '[]');
});

test('later runs of Hong Kong fetch only missing, changing and future days', async (t) => {
  let status = 'At gate 08:20';
  let isMissing = true;
  const { requests, search, load } = await aSearch(t, 'hkia', (path) =>
    isMissing && path.includes('2025-11-11')
      ? { body: '[]' }
      : hongKong(path, path.includes('2026-01-19') ? status : undefined),
  );
  const first = await search('2026-01-20T02:00:00Z');
  for (const { path } of first.files) await load(path);
  requests.length = 0;
  isMissing = false;
  status = 'At gate 09:30';
  const second = await search('2026-01-21T02:00:00Z');
  const past = requests
    .slice(0, -30)
    .map((path) => new URL(path, 'http://hk').searchParams.get('date'));
  t.deepEqual(
    [...new Set(past)],
    ['2025-11-11', '2026-01-17', '2026-01-18', '2026-01-19', '2026-01-20'],
  );
  t.is(second.summary, '6 new or changed lists of past days, 30 of future days');
  t.deepEqual(
    second.files.map(({ period }) => period),
    ['2025-11', '2026-01'],
  );
});

test('a changed layout of Hong Kong is an error that quotes the answer, and no month is written', async (t) => {
  const answers: [string, RegExp][] = [
    ['[{"date":"2026-01-19","arrival":true,"flights":[]}]', /layout of the answer has changed: /],
    ['{"error":"gone"}', /layout of the answer has changed: \{"error":"gone"\}/],
    ['<!DOCTYPE html><html>', /is not JSON: <!DOCTYPE html>/],
    ['[]', /has no arrival on 2026-01-\d\d; the interface may have changed/],
  ];
  for (const [body, message] of answers) {
    const { dataDir, search } = await aSearch(t, 'hkia', () => ({ body }));
    await t.throwsAsync(search('2026-01-20T02:00:00Z'), { instanceOf: SourceFormatError, message });
    t.deepEqual(await readdir(join(dataDir, 'lake')), []);
  }
});

const BITRE = (month: string) =>
  `Route,Departing_Port,Arriving_Port,Airline,Month,Sectors_Scheduled,Sectors_Flown,Cancellations,Arrivals_On_Time,Arrivals_Delayed
x,Sydney,Melbourne,Qantas,${month},110,100,10,75,25
`;

test('the series of Australia is downloaded again only if it has changed', async (t) => {
  let month = 'Jan-26';
  const { requests, search, load } = await aSearch(t, 'bitre', () => ({
    type: 'text/csv',
    body: BITRE(month),
  }));
  const first = await search('2026-04-20T02:00:00Z');
  t.deepEqual(requests, ['/otp_time_series_web.csv']);
  t.is(first.files.length, 1);
  t.is((await load(first.files[0]?.path ?? '')).months[0]?.month, '2026-01');
  const second = await search('2026-04-21T02:00:00Z');
  t.is(second.summary, 'searched 2026-02 to 2026-03: nothing new');
  month = 'Feb-26';
  t.is((await search('2026-04-22T02:00:00Z')).files.length, 1);
});

test('a file that a provider links but does not send is an error', async (t) => {
  for (const answer of [
    { status: 404, body: 'no' },
    { type: 'text/html', body: '<!DOCTYPE html><html>Our new portal</html>' },
  ]) {
    const { search } = await aSearch(t, 'bitre', () => answer);
    await t.throwsAsync(search('2026-04-20T02:00:00Z'), {
      instanceOf: SourceFormatError,
      message: /otp_time_series_web\.csv: is linked, but cannot be downloaded: /,
    });
  }
});

const CAA_PAGE = `<a href="/media/a.csv">202601 Punctuality Statistics Full Analysis Arrival Departure (CSV document)</a>`;

test('Britain: months are found by the labels of their page; a page without labels is an error', async (t) => {
  let page = CAA_PAGE;
  const { search } = await aSearch(t, 'caa', (path) =>
    path === '/2026/'
      ? { type: 'text/html', body: page }
      : path === '/media/a.csv'
        ? { type: 'text/csv', body: 'run_date,reporting_period\nx,202601\n' }
        : { status: 404, body: '' },
  );
  const { files, summary } = await search('2026-04-20T02:00:00Z');
  t.deepEqual(
    files.map(({ period }) => period),
    ['2026-01'],
  );
  t.is(summary, 'searched 2025-04 to 2026-03: new: 2026-01');
  page = '<html><a href="/data">Our new data portal</a></html>';
  await t.throwsAsync(search('2026-04-21T02:00:00Z'), {
    instanceOf: SourceFormatError,
    message: /has no link whose text is like .* new layout/,
  });
});

test('Brazil: absent months are normal, but no file of a year is an error', async (t) => {
  const isPublished = (path: string) => path.endsWith('VRA_2026_01.csv');
  const csv = { type: 'text/csv', body: 'a;b\n1;2\n' };
  const { search } = await aSearch(t, 'anac', (path) =>
    isPublished(path) ? csv : { status: 404, body: '' },
  );
  t.deepEqual(
    (await search('2026-04-20T02:00:00Z')).files.map(({ period }) => period),
    ['2026-01'],
  );
  const gone = await aSearch(t, 'anac', () => ({ status: 404, body: '' }));
  await t.throwsAsync(gone.search('2026-04-20T02:00:00Z'), {
    message: /has no file for any month from 2025-04 to 2026-03; the files may have moved/,
  });
});

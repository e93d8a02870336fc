import test from 'ava';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import type { RecordBody } from '../../../api/schemas/record.ts';
import type { ForecastRecord } from '../../../warehouse/live/forecast-record.ts';
import { anApi, someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { HEAD, PUBLISHED } from '../helpers/published-record.ts';

const published = { forecastRecord: () => PUBLISHED };
const ask = async (query: string, deps: Partial<ApiDeps> = published) =>
  (await anApi(deps)(`/api/record${query}`)).body as unknown as RecordBody;

test('without parameters, all airlines and providers are together', async (t) => {
  const body = await ask('');
  t.like(body, {
    scored_at: PUBLISHED.scoredAt,
    live_since: '2026-12',
    first_score_expected: null,
  });
  t.like(body.frozen, { nights: 91, head: HEAD, first_flight_date: '2026-12-15' });
  t.deepEqual(
    body.figures.map(({ kind, month, horizon_days: days }) => [kind, month, days]),
    [
      ['live', null, 7],
      ['live', '2026-12', 7],
      ['live', '2027-01', 7],
      ['live', null, 30],
      ['replayed', '2025-03', null],
      ['replayed', null, null],
    ],
  );
  t.like(body.figures[0], { flights: 600, actual: 0.16667, airline: null, provider: null });
  t.deepEqual(body.reliability.length, 3);
});

test('parameters select figures', async (t) => {
  const count = async (query: string) => (await ask(query)).figures.length;
  t.is(await count('?kind=replayed'), 2);
  t.is(await count('?horizon=30'), 1);
  t.is(await count('?month=2026-12'), 1);
  t.is(await count('?airline=dl'), 2);
  t.is(await count('?airline=DL&month=2026-12'), 1);
  t.is(await count('?provider=bts'), 1);
  t.is(await count('?outcome=late'), 1);
  t.deepEqual(
    (await ask('?by=airline')).figures.map(({ airline, month }) => [airline, month]),
    [
      ['DL', null],
      ['DL', '2026-12'],
      ['AA', null],
    ],
  );
  t.deepEqual(
    (await ask('?by=provider')).figures.map(({ provider }) => provider),
    ['bts'],
  );
});

test('old months are listed only on request, so that the answer does not grow every month', async (t) => {
  const [first] = PUBLISHED.rows;
  const months = ['2026-08', '2026-09', '2026-10', '2026-11', '2026-12', '2027-01'];
  const rows = months.flatMap((month) => (first ? [{ ...first, month }] : []));
  const replayed = PUBLISHED.rows.filter(({ kind }) => kind === 'replayed');
  const record = { ...PUBLISHED, rows: [...rows, ...replayed] };
  const listed = async (query: string) =>
    (await ask(query, { forecastRecord: () => record })).figures.map(({ month }) => month);
  t.deepEqual(await listed('?months=2'), ['2026-12', '2027-01', '2025-03', null]);
  t.deepEqual(await listed('?kind=live'), months);
  t.deepEqual(await listed('?month=2026-08&months=1'), ['2026-08']);
  const [late] = rows;
  if (late) rows.push({ ...late, provider: 'hkia', month: '2026-08' });
  record.rows = [...rows, ...replayed];
  t.deepEqual(await listed('?provider=hkia&months=1'), ['2026-08'], 'newest of this provider');
  for (const wrong of ['0', '121', '1.5']) {
    t.is((await anApi(published)(`/api/record?months=${wrong}`)).status, 400, wrong);
  }
});

test('requests count like visits of pages', async (t) => {
  const admit = () => Promise.resolve(7);
  const call = anApi({ ...published, ...explorerDeps({ admit }) });
  for (const path of ['/api/record', '/api/record/', '/API/record', '/api/coverage']) {
    const { status, headers } = await call(path);
    t.is(status, 429, path);
    t.is(headers['retry-after'], '7', path);
  }
  t.is((await call('/openapi.json')).status, 200);
});

test('a wrong parameter is refused', async (t) => {
  for (const query of ['?horizon=3', '?kind=real', '?by=month', '?month=2026-13', '?format=xml']) {
    t.is((await anApi(published)(`/api/record${query}`)).status, 400, query);
  }
});

test('CSV has the same figures, with empty cells for null', async (t) => {
  const handle = createApp(someDeps(published)).callback();
  const { payload, headers } = await inject((request, response) => void handle(request, response), {
    url: '/api/record?format=csv&kind=replayed',
  });
  const [names = '', ...lines] = payload.trimEnd().split('\n');
  t.is(headers['content-type'], 'text/csv; charset=utf-8');
  t.regex(String(headers['content-disposition']), /headwind-record\.csv/);
  t.true(names.startsWith('kind,outcome,month,horizon_days,provider,airline,flights,'));
  t.deepEqual(
    lines.map((line) => line.split(',').slice(0, 7)),
    [
      ['replayed', 'disrupted', '2025-03', '', '', '', '600'],
      ['replayed', 'disrupted', '', '', '', '', '600'],
    ],
  );
});

const PAGES: [title: string, record: ForecastRecord | undefined, text: RegExp][] = [
  [
    'before the first night',
    undefined,
    /No live forecast has been compared with actual flights yet\. The next nightly run saves the first forecasts/,
  ],
  [
    'before the first score',
    { ...PUBLISHED, rows: PUBLISHED.rows.filter(({ kind }) => kind === 'replayed') },
    /No live forecast has been compared with actual flights yet\. The first comparison is expected in March 2027/,
  ],
  ['afterwards', PUBLISHED, /The first flights in the comparison are from December 2026/],
];

for (const [title, record, text] of PAGES) {
  test(`the page says how far the record is ${title}`, async (t) => {
    const deps = someDeps({ ...explorerDeps(), forecastRecord: () => record });
    const handle = createApp(deps).callback();
    const { payload, statusCode } = await inject(
      (request, response) => void handle(request, response),
      { url: '/record', headers: { accept: 'text/html' } },
    );
    t.is(statusCode, 200);
    t.regex(payload, text);
    t.is(payload.includes('Replayed forecasts'), record !== undefined);
    t.is(payload.includes('id="live"'), record === PUBLISHED);
  });
}

import test from 'ava';
import { isOpsPath } from '../../api/ops/paths.ts';
import { layOutBars } from '../../api/ops/pages/run-chart.ts';
import { buildTrends } from '../../api/ops/pages/checks.ts';
import { SINCE, somePages } from './helpers/ops.ts';

test('an operator sees every page, and its data are escaped', async (t) => {
  const { call } = await somePages(t);
  const paths = ['/ops', '/ops/runs', '/ops/runs?step=extract', '/ops/checks', '/ops/jobs'];
  for (const path of [...paths, '/ops/months/2025-09', '/ops/confirm?kind=nightly']) {
    const { status, headers, body } = await call(path);
    t.is(status, 200, path);
    t.like(headers, { 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    t.regex(String(headers['content-security-policy']), /default-src 'none'/);
    t.notRegex(body, /<script|style="/, path);
  }
  t.regex((await call('/ops/jobs')).body, /2025-09 refused: &lt;script/);
  t.is((await call('/ops/months/2031-01')).status, 404);
  t.regex((await call('/ops/files/ops.css')).body, /:root/);
});

test('each button enqueues its request with the name of the visitor', async (t) => {
  const { call, token, requests } = await somePages(t);
  const press = async (form: Record<string, string>) =>
    call('/ops/actions', { form: { ...form, token: await token() } });
  const nightly = await press({ kind: 'nightly' });
  t.deepEqual([nightly.status, nightly.headers['location']], [303, '/ops?requested=nightly']);
  t.regex((await call('/ops?requested=nightly')).body, /The nightly run was requested/);
  await press({ kind: 'backfill', from: '2025-01', to: '2025-03', publish: 'on' });
  await press({ kind: 'retry', queue: 'extract', id: 'extract-flights-2025-09' });
  const months = { from: '2025-01', to: '2025-03', force: false, publish: true };
  t.deepEqual(requests, [
    { action: { kind: 'nightly' }, by: 'make run' },
    { action: { kind: 'backfill', ...months }, by: 'make run' },
    {
      action: { kind: 'retry', queue: 'extract', id: 'extract-flights-2025-09' },
      by: 'make run',
    },
  ]);
  const bad: Record<string, string>[] = [
    { kind: 'backfill', from: '2025-03', to: '2025-01' },
    { kind: 'backfill', from: '2025', to: '2025-01' },
    { kind: 'drop' },
    { kind: 'retry', queue: 'other', id: 'x' },
  ];
  for (const form of bad) t.is((await press(form)).status, 400, JSON.stringify(form));
  t.is(requests.length, 3);
});

test('a request without the session token, from another site, or by a link is refused', async (t) => {
  const { call, token, requests, forgetCookie } = await somePages(t);
  const sessionToken = await token();
  const form = { kind: 'nightly', token: sessionToken };
  const press = (headers: Record<string, string>) => call('/ops/actions', { headers, form });
  for (const site of ['cross-site', 'same-site']) {
    t.is((await press({ 'Sec-Fetch-Site': site })).status, 403, site);
  }
  t.is((await press({ Origin: 'https://evil.example' })).status, 403);
  t.is((await press({ Origin: 'null' })).status, 403);
  t.is((await call('/ops/actions', { form: { kind: 'nightly' } })).status, 403);
  t.is((await call('/ops/actions', { form: { kind: 'nightly', token: 'x' } })).status, 403);
  t.is((await call('/ops/actions?kind=nightly')).status, 405);
  forgetCookie();
  t.is((await press({})).status, 401, 'without a session');
  await call('/ops/login?token=another');
  t.is((await press({})).status, 403, 'the token of another session');
  t.deepEqual(requests, []);
  const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' };
  t.is((await call('/api/ops/runs', { headers: image })).status, 403);
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  t.is((await call('/ops', { headers: link })).status, 200);
});

test('the page of all queues is read-only unless changes are allowed', async (t) => {
  const { call } = await somePages(t);
  const page = await call('/ops/queues');
  t.is(page.status, 200);
  t.regex(page.body, /<base href="\/ops\/queues\/" \/>[^]*<title>Headwind queues</);
  t.notRegex(page.body, /href="https?:/);
  t.notRegex(page.body, /<%/);
  const [, script = ''] = /<script defer src="(static\/js\/main[^"]+)"/.exec(page.body) ?? [];
  const { status, headers } = await call(`/ops/queues/${script}`);
  t.deepEqual([status, headers['content-type']], [200, 'text/javascript; charset=utf-8']);
  t.is((await call('/ops/queues/static/..%2findex.ejs')).status, 404);
  t.regex((await call('/ops/queues/api/queues')).body, /^\{"queues":\[\]/);
  const change = '/ops/queues/api/queues/extract/pause';
  t.is((await call(change, { method: 'PUT' })).status, 403);
  const open = await somePages(t, { hasWrites: true });
  t.is(
    (await open.call(change, { method: 'PUT' })).status,
    403,
    'the request does not prove that it comes from the page',
  );
  const same = { 'Sec-Fetch-Site': 'same-origin' };
  // The page has no queues in this test.
  t.is((await open.call(change, { method: 'PUT', headers: same })).status, 404);
});

test('programs get the same data as JSON', async (t) => {
  const { call } = await somePages(t);
  const get = async (path: string) => JSON.parse((await call(path)).body) as object;
  t.like(await get('/api/ops/status'), { at: SINCE, freshness: { last_month: '2025-08' } });
  t.like(await get('/api/ops/months'), { months: { 1: { refused_file: 'b.zip' } } });
  t.like(await get('/api/ops/runs'), { runs: { 0: { started_at: SINCE } } });
  t.like(await get('/api/ops/checks'), { builds: { 0: { outcome: 'done' } } });
  t.like(await get('/api/ops/queues'), { queues: { 0: { failed_count: 1 } } });
  t.like(await get('/api/ops/other'), { error: 'not_found' });
});

test('a page reports that Redis or the summary is missing', async (t) => {
  const broken = await somePages(t, { summary: () => Promise.reject(new Error('gone')) });
  t.is((await broken.call('/ops')).status, 503);
  const empty = await somePages(t, { summary: async () => undefined });
  t.regex((await empty.call('/ops')).body, /No worker has reported yet/);
  t.is((await empty.call('/ops/runs')).status, 503);
});

test('the tallest bar fills the height, and a small value stays visible', (t) => {
  const bar = (value: number) => ({ value, label: '', state: 'done' });
  const bars = layOutBars([bar(0), bar(1), bar(1_000)], { width: 120, height: 50 });
  t.deepEqual(
    bars.map(({ x, height }) => [x, height]),
    [
      [0, 0],
      [10, 2],
      [20, 50],
    ],
  );
});

test('failing checks come first, then checks that got worse', (t) => {
  const build = (at: string, checks: [string, 'error' | 'warn', number][]) => ({
    at,
    outcome: 'done' as const,
    checks: checks.map(([check, severity, failures]) => ({ check, severity, failures })),
  });
  const trends = buildTrends([
    build('2026-03-02', [
      ['a', 'warn', 4],
      ['b', 'error', 0],
      ['c', 'warn', 9],
      ['d', 'error', 1],
    ]),
    build('2026-03-01', [
      ['a', 'warn', 4],
      ['b', 'error', 2],
      ['c', 'warn', 1],
    ]),
  ]);
  t.deepEqual(
    trends.map(({ check, change }) => [check, change]),
    [
      ['d', undefined],
      ['c', 8],
      ['a', 0],
      ['b', -2],
    ],
  );
});

test('only paths under /ops and /api/ops are for operators', (t) => {
  for (const url of ['/ops', '/ops?x', '/ops/runs', '/api/ops/runs']) t.true(isOpsPath(url), url);
  for (const url of ['/', '/opsy', '/api/score?ops', undefined]) t.false(isOpsPath(url));
});

test('the confirmation page describes the request and passes its fields on', async (t) => {
  const { call } = await somePages(t);
  const page = async (query: string) => (await call(`/ops/confirm?${query}`)).body;
  const retry = await page('kind=retry&queue=extract&id=extract-flights-2025-09');
  t.true(retry.includes('Puts extract-flights-2025-09 back into the queue extract'));
  const clearing = await page(`kind=acknowledge&at=${SINCE}`);
  t.true(clearing.includes('Clear failures?'));
  t.true(clearing.includes(`name="at" value="${SINCE}"`));
  t.is((await call('/ops/confirm?kind=acknowledge')).status, 400);
  const span = await page('kind=backfill&from=2025-01&to=2025-03&force=on&publish=on');
  t.regex(span, /Backfill 2025-01 to 2025-03\?/);
  t.true(span.includes('may be replaced by one with far fewer flights'));
  t.true(span.includes('Builds and publishes when all months are done'));
  t.regex(span, /name="force" value="on"/);
  const month = await page('kind=backfill&from=2025-01&to=2025-01');
  t.regex(month, /Backfill 2025-01\?/);
  t.true(month.includes('never replaced by one with far fewer flights'));
  t.true(month.includes('answers change with the next nightly run'));
  t.notRegex(month, /name="(force|publish)"/);
});

import test from 'ava';
import { aSchedule, QUIET, SINCE, somePages, SUMMARY } from './helpers/ops.ts';

const check = (name: string, severity: 'error' | 'warn', failures: number) => ({
  ...{ check: name, severity, failures },
});
const BUILDS = [
  {
    ...{ at: '2026-03-10T03:00:00.000Z', outcome: 'failed' as const },
    checks: [
      check('a', 'error', 5),
      check('b', 'warn', 2),
      check('c', 'warn', 0),
      check('d', 'error', 0),
    ],
  },
  {
    ...{ at: '2026-03-09T03:00:00.000Z', outcome: 'done' as const },
    checks: [check('a', 'error', 1), check('b', 'warn', 6), check('c', 'warn', 0)],
  },
];
const OLD_FLIGHTS = {
  ...{ code: 2 as const, why: ['flights are old'] },
  problems: [
    {
      ...{ key: 'stale', kind: 'data.stale' as const },
      state: 'degraded' as const,
      text: 'flights are old',
    },
  ],
};
const JOB = { id: 'build-features', name: 'build', since: SINCE, attempts: 0 };

/** State after a successful nightly run on the host `mill`. The extract queue has no worker. */
const QUIET_NIGHT: Parameters<typeof somePages>[1] = {
  hasWrites: true,
  summary: async () => ({
    ...{ ...SUMMARY, builds: BUILDS, host: 'mill', verdict: { code: 0, why: [], problems: [] } },
    store: { kept: [], version: 'v1', builtAt: SINCE },
    model: { version: 'abc', pinned: 'abc' },
    freshness: { lastMonth: '2025-08', lastLevelMonth: '2025-12' },
    watches: { count: 40, pending: 3 },
  }),
  operations: async () => ({
    readState: async () => ({
      queues: [
        {
          ...{ ...QUIET, queue: 'extract' as const, workers: 0, failedCount: 3 },
          running: [{ ...JOB, progress: '3 of 9', host: 'mill' }],
          failed: [{ ...JOB, why: 'disk full' }],
        },
      ],
      workers: [
        { host: 'mill', pid: 7, does: ['build-features'] },
        { host: 'barn', pid: 8, does: [] },
      ],
      schedules: [aSchedule({ next: '2026-03-11T02:30:00.000Z' })],
    }),
    readJob: async () => undefined,
    enqueue: async () => 'request-1',
    boards: () => [],
    close: async () => undefined,
  }),
};

/** Returns the text of markup, with a space between elements. */
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
/** Returns the cells of all table rows. */
const rowsOf = (page: string) =>
  [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell)),
  );

test('the overview shows the verdict, the running jobs with their hosts, and queues without a worker', async (t) => {
  const { call } = await somePages(t, QUIET_NIGHT);
  const { body } = await call('/ops?requested=nightly');
  t.true(body.includes('class="notice good"'));
  const text = textOf(body);
  for (const expected of [
    'No worker is connected. The request waits until a worker starts.',
    'build-features on mill 3 of 9',
    'reported by the worker on mill',
    'mill, process 7: runs build-features',
    'barn, process 8: idle',
    '3 failed',
    'no worker',
    'Watches of callers 40, 3 with undelivered messages',
    ...['Pinned', 'Delay causes until', 'Next nightly run', 'Built'],
  ]) {
    t.true(text.includes(expected), expected);
  }
});

test('checks are shown with the change since the previous build', async (t) => {
  const { call } = await somePages(t, QUIET_NIGHT);
  const { body } = await call('/ops/checks');
  t.regex(textOf(body), /Last build .*, failed; showing the last 2 builds\./);
  t.deepEqual(
    rowsOf(body).map((cells) => cells.slice(0, 4)),
    [
      ['Check', 'Failed rows', 'Change', 'Severity if it fails'],
      ['a', '5', '+4', 'error'],
      ['b', '2', '-4', 'warn'],
      ['c', '0', '0', 'warn'],
      ['d', '0', '', 'error'],
    ],
  );
  t.is(rowsOf(body).at(-1)?.at(-1), 'never failed');
  t.true(body.includes('<a href="/ops/lineage#checks.a">a</a>'));
});

test('the page of jobs shows that no worker is connected, and how many failed jobs it lists', async (t) => {
  const { call } = await somePages(t, QUIET_NIGHT);
  const text = textOf((await call('/ops/jobs')).body);
  for (const expected of ['No worker.', 'Showing the newest 1.', ', with changes allowed']) {
    t.true(text.includes(expected), expected);
  }
});

test('the page of jobs shows the time zone, the next run and the last run of each schedule, with a form for changes', async (t) => {
  const state = { queues: [], workers: [] };
  const schedules = [
    aSchedule({
      ...{ next: '2026-03-11T02:30:00.000Z', tz: 'Asia/Tokyo' },
      last: { at: SINCE, isOk: false, text: 'a check fails' },
    }),
    aSchedule({ id: 'news', isPaused: true, changed: { by: 'ann', at: SINCE } }),
    aSchedule({ id: 'archive-keys', isFixed: true }),
  ];
  const { call } = await somePages(t, {
    operations: async () => ({
      readState: async () => ({ ...state, schedules }),
      readJob: async () => undefined,
      enqueue: async () => 'request-1',
      boards: () => [],
      close: async () => undefined,
    }),
  });
  t.deepEqual(rowsOf((await call('/ops/jobs')).body), [
    ['Schedule', 'Times', 'Next (UTC)', 'Last run (UTC)', 'Change'],
    [
      ...['nightly: build', '30 2 * * * Asia/Tokyo', '2026-03-11 02:30'],
      ...['failed 2026-03-10 13:59 a check fails', 'Change… Pause…'],
    ],
    [
      'news: build',
      '30 2 * * * UTC Changed by ann at 2026-03-10 13:59 ; the setting is 30 2 * * * .',
      ...['paused', '', 'Change… Resume… Reset…'],
    ],
    ['archive-keys: build', '30 2 * * * UTC', 'not active yet', '', 'fixed'],
  ]);
  const confirm = (fields: Record<string, string>) =>
    call(`/ops/confirm?${new URLSearchParams({ kind: 'schedule', id: 'nightly', ...fields })}`);
  const shown = await confirm({ change: 'pattern', pattern: '0 4 * * *' });
  t.true(
    textOf(shown.body).includes('0 4 * * * (Asia/Tokyo). The next runs are at 2026-03-10 19:00'),
  );
  const bad = await confirm({ change: 'pattern', pattern: '0 4 * *  99' });
  t.is(bad.status, 400);
  t.true(bad.body.includes('is neither a cron expression'));
  t.is((await confirm({ change: 'pause', id: 'archive-keys' })).status, 404);
});

test('the page offers to clear failures only if failures can be cleared', async (t) => {
  const { call } = await somePages(t);
  t.false((await call('/ops')).body.includes('kind=acknowledge'), 'a check fails');
  const withFailure = await somePages(t, {
    summary: async () => ({ ...SUMMARY, acknowledgeable: 1 }),
  });
  t.true(
    (await withFailure.call('/ops')).body
      .replaceAll('&amp;', '&')
      .includes(`/ops/confirm?kind=acknowledge&at=${SUMMARY.at}`),
  );
});

test('a history that was never built and a damaged store are shown', async (t) => {
  const { call } = await somePages(t, {
    summary: async () => ({
      ...{ ...SUMMARY, builds: [], verdict: OLD_FLIGHTS },
      store: { kept: [], problem: 'damaged' },
    }),
  });
  t.true((await call('/ops/checks')).body.includes('Nothing has been built yet.'));
  const overview = (await call('/ops')).body;
  t.true(overview.includes('class="notice warn"'));
  t.true(overview.includes('damaged'));
});

test('the page of a month shows its flights and the rows of its file', async (t) => {
  const { call } = await somePages(t);
  const { body } = await call('/ops');
  t.regex(body, /<td class="loaded" colspan="12"><a[^>]* title="caa 2019: loaded"/);
  t.regex(
    body,
    /<span class="spoken">flights 2025-08: loaded, 601,234 flights <\/span>[^]*?<small>601K <\/small>/,
  );
  t.notRegex(body, /32[.,]2/);
  const [, loaded] = rowsOf((await call('/ops/months/2025-08')).body);
  t.deepEqual(loaded?.slice(3, 5), ['601,234', '32,229']);
});

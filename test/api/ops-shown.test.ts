import test from 'ava';
import { QUIET, SINCE, somePages, SUMMARY } from './helpers/ops.ts';

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
const JOB = { id: 'build-features', name: 'build', since: SINCE, attempts: 0 };

/** A night that went well on the host mill, whose worker is gone since. */
const QUIET_NIGHT: Parameters<typeof somePages>[1] = {
  hasWrites: true,
  summary: async () => ({
    ...{ ...SUMMARY, builds: BUILDS, host: 'mill', verdict: { code: 0, why: [] } },
    store: { kept: [], version: 'v1', builtAt: SINCE },
    model: { version: 'abc', pinned: 'abc' },
    freshness: { lastMonth: '2025-08', lastLevelMonth: '2025-12' },
  }),
  operations: async () => ({
    look: async () => ({
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
      schedules: [
        { id: 'nightly', what: 'build', pattern: '30 2 * * *', next: '2026-03-11T02:30:00.000Z' },
      ],
    }),
    ask: async () => 'asked',
    boards: () => [],
    close: async () => undefined,
  }),
};

/** What is read of markup, with a blank where one thing ends and another begins. */
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
/** The rows of all tables, cell by cell. */
const rowsOf = (page: string) =>
  [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell)),
  );

test('the overview says that all is well, what is at work where, and that nobody works at a queue', async (t) => {
  const { call } = await somePages(t, QUIET_NIGHT);
  const { body } = await call('/ops?asked=nightly');
  t.true(body.includes('class="notice good"'));
  const text = textOf(body);
  for (const told of [
    'No worker is connected: it waits until one is.',
    'build-features on mill 3 of 9',
    'as the worker on mill saw it',
    'mill, process 7: at build-features',
    'barn, process 8: waits',
    '3 failed',
    'no worker',
    ...['Pinned', 'Delay causes until', 'Next night', 'Built'],
  ]) {
    t.true(text.includes(told), told);
  }
});

test('checks are shown with what has changed since the build before', async (t) => {
  const { call } = await somePages(t, QUIET_NIGHT);
  const { body } = await call('/ops/checks');
  t.regex(textOf(body), /Last build .*, failed; 2 builds are shown\./);
  t.deepEqual(
    rowsOf(body).map((cells) => cells.slice(0, 4)),
    [
      ['Check', 'Severity', 'Rows now', 'Change'],
      ['a', 'error', '5', '+4'],
      ['b', 'warn', '2', '-4'],
      ['c', 'warn', '0', '0'],
      ['d', 'error', '0', ''],
    ],
  );
  t.is(rowsOf(body).at(-1)?.at(-1), 'never any');
});

test('the page of jobs says that no worker is there, and how many of those that failed it shows', async (t) => {
  const { call } = await somePages(t, QUIET_NIGHT);
  const text = textOf((await call('/ops/jobs')).body);
  for (const told of ['No worker.', 'The newest 1 are shown.', ', to change too']) {
    t.true(text.includes(told), told);
  }
});

test('what failed can be taken off as the page tells it, where there is something that can be', async (t) => {
  const { call } = await somePages(t);
  t.false((await call('/ops')).body.includes('kind=acknowledge'), 'a check fails');
  const failed = await somePages(t, {
    summary: async () => ({ ...SUMMARY, acknowledgeable: 1 }),
  });
  t.true(
    (await failed.call('/ops')).body
      .replaceAll('&amp;', '&')
      .includes(`/ops/confirm?kind=acknowledge&at=${SUMMARY.at}`),
  );
});

test('a history that was never built, and a damaged store, are told', async (t) => {
  const { call } = await somePages(t, {
    summary: async () => ({
      ...{ ...SUMMARY, builds: [], verdict: { code: 2, why: ['flights are old'] } },
      store: { kept: [], problem: 'damaged' },
    }),
  });
  t.true((await call('/ops/checks')).body.includes('Nothing has been built yet.'));
  const overview = (await call('/ops')).body;
  t.true(overview.includes('class="notice warn"'));
  t.true(overview.includes('damaged'));
});

test('of a month its flights are shown, and beside them the rows of its file, which may be counts', async (t) => {
  const { call } = await somePages(t);
  const { body } = await call('/ops');
  t.regex(body, /aria-label="flights 2025-08: loaded, 601,234 flights"[^]*?<small>601K<\/small>/);
  t.notRegex(body, /32[.,]2/);
  const [, loaded] = rowsOf((await call('/ops/months/2025-08')).body);
  t.deepEqual(loaded?.slice(2, 4), ['601,234', '32,229']);
});

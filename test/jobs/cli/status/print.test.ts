import test from 'ava';
import { statusText as textOf } from '../../../../jobs/cli/status/print.ts';
import { verdictOf } from '../../../../jobs/cli/status/verdict.ts';
import type { OpsSchedule } from '../../../../api/schemas/operations.ts';
import type { RunStatus, Status } from '../../../../jobs/cli/status/types.ts';

const statusText = (status: Status) => textOf(status, verdictOf(status));

const AT = '2026-11-01T03:00:00.000Z';
const QUEUE = { queue: 'extract', workers: 1, waiting: 0, active: 0, failed: 0 };

/** A nightly schedule that runs as in the settings. */
const aSchedule = (changes: Partial<OpsSchedule>): OpsSchedule => ({
  ...{ id: 'nightly', what: 'the nightly run', pattern: '30 3 * * *', tz: 'UTC' },
  ...{ isPaused: false, isFixed: false, setting: '30 3 * * *' },
  ...changes,
});

/** An empty status: only a Redis with one queue. */
function aStatus(changes: Partial<Status> = {}): Status {
  const queues = [{ ...QUEUE, running: [], retrying: [] }];
  return {
    at: AT,
    months: [],
    runs: [],
    store: { months: [], kept: [] },
    model: { version: null },
    levels: {
      months: 0,
      rows: 0,
      missing: [],
      pending: [],
      damaged: [],
      refused: [],
      conflicts: [],
    },
    freshness: { state: 'ok' },
    redis: { state: 'up', queues, schedules: [] },
    machine: '/data on mill',
    newest: {},
    freshnessRule: { staleAfterDays: undefined, hasDownloads: false },
    ...changes,
  };
}

test('each month has the mark of its state, and the legend counts them', (t) => {
  const text = statusText(
    aStatus({
      months: [
        { month: '2018-01', state: 'loaded', rows: 900, flights: 1_500 },
        { month: '2018-02', state: 'missing' },
        { month: '2018-03', state: 'damaged' },
        { month: '2018-04', state: 'pending', rows: 500, refusedFile: 'half.csv' },
      ],
    }),
  );
  t.regex(text, /│ 2018 │ ● +│ · +│ \? +│ ○\* +│ +│.*│ +1,500 │/);
  t.regex(
    text,
    /● 1 loaded {3}○ 1 in the lake, not loaded {3}\? 1 damaged in the lake: ingest its file again {3}· 1 missing {3}\* a newer file was refused; the month is unchanged\n/,
  );
});

test('the airport status is shown with its age, and only if it was ever fetched', (t) => {
  const queues = [{ ...QUEUE, running: [], retrying: [] }];
  const airportStatus = { measures: 2, fetchedAt: '2026-11-01T02:57:00.000Z' };
  t.notRegex(statusText(aStatus()), /FAA/);
  t.regex(
    statusText(aStatus({ redis: { state: 'up', queues, schedules: [], airportStatus } })),
    /\nFAA {6}2 measures in force, fetched 3 min ago\n/,
  );
});

test('running jobs and jobs that wait for a retry are listed below the queues', (t) => {
  const running = [{ job: 'build-features', since: '2026-11-01T02:59:00.000Z', host: 'mill' }];
  const workers = [
    { host: 'barn', pid: 0, does: [] },
    { host: 'mill', pid: 7, does: ['build-features'] },
  ];
  const retrying = [{ job: 'extract-flights-2025-03', attempts: 2, why: 'the server answers 503' }];
  const text = statusText(
    aStatus({
      redis: { state: 'up', queues: [{ ...QUEUE, running, retrying }], workers, schedules: [] },
    }),
  );
  t.regex(text, /\nWorker {3}barn: idle\nWorker {3}mill, process 7: runs build-features\n/);
  t.regex(text, /\nRunning {2}extract: build-features on mill for 1 min\n/);
  t.regex(
    text,
    /\nRetrying extract: extract-flights-2025-03 after 2 failed attempts: the server answers 503\n$/,
  );
});

test('the model is shown with its origin, its training data and the last training', (t) => {
  const next = { version: 'abc', origin: 'bundled' as const, months: ['2018-01', '2018-02'] };
  const training = {
    at: '2026-11-01T02:00:00.000Z',
    outcome: 'done' as const,
    why: 'not released',
  };
  t.regex(
    statusText(aStatus({ model: { version: 'abc', next, training } })),
    /\nModel {4}abc, bundled, trained on 2 months from 2018-01 to 2018-02\n {9}last training 60 min ago: not released\n/,
  );
});

test('a released model that is not published yet, and a refused one, are shown', (t) => {
  const next = { version: 'def', origin: 'released' as const, months: ['2018-01'] };
  const training = { at: AT, outcome: 'failed' as const, why: 'no library' };
  const text = statusText(
    aStatus({ model: { version: 'abc', next, refused: 'fed: model.onnx is missing', training } }),
  );
  t.regex(
    text,
    /\nModel {4}abc\n {9}the next publish uses def, trained here, trained on month 2018-01\n {9}refused: fed: model.onnx is missing\n {9}last training \d+ \w+ ago: failed: no library\n/,
  );
});

test('a check that finds more rows than in the previous build is listed first', (t) => {
  const warn = (check: string, failures: number, failuresBefore?: number) => ({
    ...{ check, failures, severity: 'warn' as const },
    ...(failuresBefore !== undefined && { failuresBefore }),
  });
  const checks = [
    warn('known_airlines', 4, 4),
    warn('month_airports', 2, 3),
    warn('month_volume', 1_200, 0),
    warn('new_one', 1),
    warn('rates_range', 0, 5),
  ];
  const text = statusText(aStatus({ build: { at: AT, outcome: 'done', checks } }));
  t.is(
    text.match(/Checks {3}[^]*?\n\n/)?.[0],
    [
      'Checks   1 passed, 4 warnings, 0 failed, 0 s ago',
      '         warning month_volume: 1,200 rows found, worse: 0 in the previous build',
      '         warning known_airlines: 4 rows found',
      '         warning month_airports: 2 rows found, better: 3 in the previous build',
      '         warning new_one: 1 row found',
      '',
      '',
    ].join('\n'),
  );
});

const QUEUES = [{ ...QUEUE, running: [], retrying: [] }];

test('without Redis the status names the unknown values', (t) => {
  const text = statusText(
    aStatus({
      redis: { state: 'away', error: 'connect ECONNREFUSED' },
      store: { version: 'v2', months: ['2018-01'], kept: ['v2', 'v1'] },
      lake: { place: 's3://lake', problem: 'no answer' },
    }),
  );
  t.regex(text, /\nStore {4}v2, from month 2018-01, .*\n {9}unknown whether the API serves it/);
  t.regex(text, /\n {9}older versions: v1\n/);
  t.regex(text, /\nWeather {2}unknown, as Redis is unreachable\nNews {5}unknown, as Redis/);
  t.regex(text, /\nLake {5}s3:\/\/lake is unavailable; this shows the local copy\n/);
  t.true(text.endsWith('\nQueues   unknown, as Redis is unreachable: connect ECONNREFUSED\n'));
  const damaged = statusText(aStatus({ store: { months: [], kept: [], problem: 'damaged' } }));
  t.regex(damaged, /\nStore {4}cannot be used: damaged\n/);
});

test('the served store, the freshness of data and the schedules are shown with their ages', (t) => {
  const store = {
    version: 'v2',
    builtAt: '2026-11-01T02:00:00.000Z',
    months: ['2018-01'],
    kept: [],
  };
  const up = { state: 'up', queues: QUEUES, schedules: [] } as const;
  const text = statusText(
    aStatus({
      store,
      model: { version: 'abc', pinned: 'abc', behindPin: 'def' },
      lake: { place: 's3://lake' },
      disk: { freeBytes: 5e9, sizeBytes: 1e10, minFreeBytes: 1e9 },
      freshness: {
        ...{ state: 'old', lastMonth: '2018-01', lastLevelMonth: '2025-12' },
        ...{ load: '2026-11-01T02:57:00.000Z', copy: '2026-11-01T02:58:00.000Z' },
      },
      redis: {
        ...{ ...up, queues: [...QUEUES], storeVersion: 'v1' },
        forecasts: {
          ...{ airports: 1_200, newest: '2026-11-01T02:57:00.000Z' },
          oldest: '2026-11-01T00:57:00.000Z',
        },
        news: { stories: 3, fetchedAt: '2026-11-01T02:55:00.000Z' },
        watches: { count: 1_700, pending: 13 },
        schedules: [
          aSchedule({ next: '2026-11-01T03:30:00Z' }),
          aSchedule({ id: 'news', what: 'the news' }),
          aSchedule({
            ...{ id: 'nas', what: 'the status', isPaused: true },
            changed: { by: 'ann', at: '2026-11-01T02:00:00Z' },
            last: { at: '2026-11-01T01:00:00Z', isOk: false, text: 'no answer' },
          }),
        ],
      },
    }),
  );
  t.regex(text, /\n {9}the API serves another version: v1\n/);
  t.regex(text, /\n {9}pinned: abc; def is released; to use it: make model-unpin\n/);
  t.regex(text, /Fresh {4}last month 2018-01 · levels to 2025-12 · loaded 3 min ago · built never/);
  t.regex(text, /copied for readers 2 min ago\n {9}flights and delay levels are old/);
  t.regex(text, /forecasts of 1,200 airports, fetched 3 min ago, the oldest .* ago\n/);
  t.regex(text, /\nNews {5}3 stories that affect flights, fetched 5 min ago\n/);
  t.regex(
    text,
    /\nWatches {2}1,700: 13 with undelivered messages; make watches shows the reasons\n/,
  );
  t.regex(text, /\nLake {5}s3:\/\/lake answers\nDisk {5}.* free of .*\n/);
  const schedules = text.slice(text.indexOf('Schedule nightly')).split('\n');
  t.deepEqual(schedules.slice(0, -1), [
    'Schedule nightly (the nightly run): 30 3 * * * (UTC), next 2026-11-01 03:30 UTC, in 30 min',
    'Schedule news (the news): 30 3 * * * (UTC), not active yet; starting the service activates it',
    'Schedule nas (the status): paused; changed by ann at 2026-11-01 02:00 UTC, the setting is 30 3 * * *',
    '         last run failed at 2026-11-01 01:00 UTC: no answer',
  ]);
  const elsewhere = statusText(
    aStatus({
      store: { months: [], kept: [] },
      months: [{ month: '2018-01', state: 'pending' }],
      model: { version: null },
      redis: { ...up, queues: [...QUEUES], schedules: [], storeVersion: 'v3' },
    }),
  );
  t.regex(elsewhere, /\nStore {4}none on this machine; the API serves v3\n/);
  t.regex(elsewhere, /\nModel {4}unknown on this machine; the API uses the model of its store\n/);
  t.regex(elsewhere, /\n {9}no month of the lake is loaded on this machine: make features\n/);
  const same = statusText(
    aStatus({ store, redis: { ...up, queues: [...QUEUES], schedules: [], storeVersion: 'v2' } }),
  );
  t.regex(same, /\n {9}the API serves it\n/);
});

test('runs are shown with their rows and inputs, and errors in one short line', (t) => {
  const run: RunStatus = {
    id: 'r',
    step: 'extract',
    outcome: 'done',
    codeVersion: 'test',
    startedAt: '2026-11-01T02:00:00.000Z',
    finishedAt: '2026-11-01T02:00:04.200Z',
    inputs: [{ name: 'a.csv' }, { name: 'b.csv' }],
    rowsIn: 1_000,
    rowsOut: 990,
    rowsRejected: 10,
  };
  const { rowsIn: _in, rowsOut: _out, rowsRejected: _rejected, ...bare } = run;
  const text = statusText(
    aStatus({
      runs: [
        run,
        { ...bare, inputs: [], outcome: 'failed', error: `no\nspace ${'left '.repeat(20)}` },
      ],
    }),
  );
  t.regex(text, /│ 4\.2 s +│ +1,000 │ +990 │ +10 │ a\.csv and 1 more +│/);
  t.regex(text, /│ failed +│ .* │ +│ +│ +│ no space left .*… │/);
});

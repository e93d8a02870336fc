import test from 'ava';
import { statusText as textOf } from '../../../../jobs/cli/status/print.ts';
import { verdictOf } from '../../../../jobs/cli/status/verdict.ts';
import type { Status } from '../../../../jobs/cli/status/types.ts';

const statusText = (status: Status) => textOf(status, verdictOf(status));

const AT = '2026-11-01T03:00:00.000Z';
const QUEUE = { queue: 'extract', workers: 1, waiting: 0, active: 0, failed: 0 };

/** Nothing but a Redis with one queue. */
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
    stale: [],
    ...changes,
  };
}

test('each month has the mark of its state, and the legend counts them', (t) => {
  const text = statusText(
    aStatus({
      months: [
        { month: '2018-01', state: 'loaded', rows: 1_000 },
        { month: '2018-02', state: 'missing' },
        { month: '2018-03', state: 'damaged' },
        { month: '2018-04', state: 'pending', rows: 500, refusedFile: 'half.csv' },
      ],
    }),
  );
  t.regex(text, /│ 2018 │ ● +│ · +│ \? +│ ○\* +│ +│.*│ 1,500 │/);
  t.regex(
    text,
    /● 1 loaded {3}○ 1 in the lake, not loaded {3}\? 1 damaged in the lake: ingest its file again {3}· 1 missing {3}\* a later file was refused, what was there stays\n/,
  );
});

test('the airport status stands there with its age, and only where the FAA was asked', (t) => {
  const queues = [{ ...QUEUE, running: [], retrying: [] }];
  const airportStatus = { measures: 2, fetchedAt: '2026-11-01T02:57:00.000Z' };
  t.notRegex(statusText(aStatus()), /FAA/);
  t.regex(
    statusText(aStatus({ redis: { state: 'up', queues, schedules: [], airportStatus } })),
    /\nFAA {6}measures in force: 2, fetched 3 min ago\n/,
  );
});

test('jobs under way and jobs that wait for another attempt stand under the queues', (t) => {
  const running = [{ job: 'build-features', since: '2026-11-01T02:59:00.000Z' }];
  const retrying = [{ job: 'extract-flights-2025-03', attempts: 2, why: 'the server answers 503' }];
  const text = statusText(
    aStatus({
      redis: { state: 'up', queues: [{ ...QUEUE, running, retrying }], schedules: [] },
    }),
  );
  t.regex(text, /\nRunning {2}extract: build-features since 1 min\n/);
  t.regex(
    text,
    /\nRetrying extract: extract-flights-2025-03 after 2 failed attempts: the server answers 503\n$/,
  );
});

test('of the model stand where it came from, what it knows, and how the last training ended', (t) => {
  const next = { version: 'abc', origin: 'bundled' as const, months: ['2018-01', '2018-02'] };
  const training = {
    at: '2026-11-01T02:00:00.000Z',
    outcome: 'done' as const,
    why: 'not released',
  };
  t.regex(
    statusText(aStatus({ model: { version: 'abc', next, training } })),
    /\nModel {4}abc, bundled, knows 2 months from 2018-01 to 2018-02\n {9}last training 60 min ago: not released\n/,
  );
});

test('a model that was released and not published yet, or not taken, is told', (t) => {
  const next = { version: 'def', origin: 'released' as const, months: ['2018-01'] };
  const training = { at: AT, outcome: 'failed' as const, why: 'no library' };
  const text = statusText(
    aStatus({ model: { version: 'abc', next, refused: 'fed: model.onnx is missing', training } }),
  );
  t.regex(
    text,
    /\nModel {4}abc\n {9}the next publish brings def, trained here, knows month 2018-01\n {9}not taken: fed: model.onnx is missing\n {9}last training \d+ \w+ ago: failed: no library\n/,
  );
});

test('a check that finds more than at the build before stands first and says so', (t) => {
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
      '         warning month_volume: 1,200 rows found, worse: 0 at the build before',
      '         warning known_airlines: 4 rows found',
      '         warning month_airports: 2 rows found, better: 3 at the build before',
      '         warning new_one: 1 rows found',
      '',
      '',
    ].join('\n'),
  );
});

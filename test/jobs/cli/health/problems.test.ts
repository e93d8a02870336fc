import test from 'ava';
import { verdictOf } from '../../../../jobs/cli/status/verdict.ts';
import type { RedisStatus, ScheduleStatus, Status } from '../../../../jobs/cli/status/types.ts';
import {
  CONDITION_NAMES,
  conditionOf,
  type ConditionName,
} from '../../../../warehouse/live/conditions.ts';

type LiveStatus = Extract<RedisStatus, { state: 'up' }>;

const AT = '2026-11-23T02:30:00Z';
const MACHINE = '/data on mill';
const QUEUE = { waiting: 0, active: 0, failed: 0, running: [], retrying: [] };
const SCHEDULE = { id: 'nightly', next: AT } as ScheduleStatus;
const LIVE: LiveStatus = {
  state: 'up',
  storeVersion: 'v1',
  queues: (['extract', 'warehouse', 'live'] as const).map((queue) => ({
    queue,
    workers: 1,
    ...QUEUE,
  })),
  schedules: [SCHEDULE],
};

const { storeVersion: _, ...WITHOUT_STORE } = LIVE;

/** A service that is well: fresh months, a store in Redis, passing checks, workers and free disk space. */
function statusWith(changes: Partial<Status>, live: Partial<LiveStatus> = {}): Status {
  return {
    at: AT,
    machine: MACHINE,
    months: [{ month: '2026-08', state: 'loaded' }],
    levels: { months: 1 },
    store: { version: 'v1', months: [], kept: [] },
    model: { version: 'm1' },
    build: { at: AT, outcome: 'done', checks: [checkOf('rates', 'error', 0)] },
    newest: { flights: '2026-08', levels: '2026-08', forecast: AT },
    freshnessRule: { staleAfterDays: undefined, hasDownloads: true },
    disk: { freeBytes: 50e9, sizeBytes: 100e9, minFreeBytes: 1e9 },
    redis: { ...LIVE, ...live },
    ...changes,
  } as Status;
}

function checkOf(check: string, severity: 'error' | 'warn', failures: number) {
  return { check, severity, failures, fingerprint: 'abc' };
}

const withChecks = (severity: 'error' | 'warn') =>
  statusWith({ build: { at: AT, outcome: 'done', checks: [checkOf('volume', severity, 3)] } });
const disk = (freeBytes: number) =>
  statusWith({ disk: { freeBytes, sizeBytes: 100e9, minFreeBytes: 1e9 } });
const event = (kind: ConditionName) =>
  statusWith({}, { incidents: [{ key: 'x', kind, text: 'it happened: do this', since: AT }] });
const machineOf = (machine: string, lake: string) => ({
  ...{ machine, lake, at: AT, isService: true, problems: [] },
});

/** For each condition, a status in which only this condition holds, and a part of its sentence. */
const CASES: Record<ConditionName, [Status, string]> = {
  'calls.failing': [
    statusWith(
      {},
      { apis: [{ address: 'h:8080 on mill', at: AT, problem: 'it does not report' }] },
    ),
    'the API at h:8080 on mill does not answer calls: it does not report. See its log',
  ],
  'redis.unreachable': [
    statusWith({ redis: { state: 'away', error: 'no answer' } }),
    'Redis is unreachable: no answer. Calls with a key get 503. Start Redis',
  ],
  'redis.refuses_writes': [
    statusWith({}, { writeRefusal: 'READONLY a replica', apis: [], schedules: [] }),
    'READONLY a replica. Free space on its disk',
  ],
  'keys.lost': [
    statusWith({}, { lostKeys: 2 }),
    'Redis lost 2 keys of the archive in /data on mill',
  ],
  'keys.broken': [event('keys.broken'), 'it happened: do this'],
  'store.missing': [
    statusWith({ redis: WITHOUT_STORE }),
    'Redis has no score store, so an API that starts now may be unable to answer; run make publish',
  ],
  'schedules.missing': [
    statusWith({}, { schedules: [{ ...SCHEDULE, isMissing: true }] }),
    'schedules are missing in Redis: nightly',
  ],
  'checks.failed': [
    withChecks('error'),
    'until these checks pass: volume (3 rows). Run make check-data',
  ],
  'build.failed': [
    statusWith({ build: { at: AT, outcome: 'failed', checks: [] } }),
    'the last build failed',
  ],
  'job.failed': [event('job.failed'), 'it happened: do this'],
  'backfill.failed': [event('backfill.failed'), 'it happened: do this'],
  'file.refused': [event('file.refused'), 'it happened: do this'],
  'month.refused': [event('month.refused'), 'it happened: do this'],
  'month.damaged': [
    statusWith({ months: [{ month: '2025-03', state: 'damaged' }] }),
    '2025-03 is damaged in the lake: ingest its file again',
  ],
  'lakes.differ': [
    statusWith({}, { machines: [machineOf(MACHINE, 'a'), machineOf('/data on barn', 'b')] }),
    'different lakes: /data on mill, /data on barn',
  ],
  'lake.unavailable': [
    statusWith({ lake: { place: 's3://lake', problem: 'no answer' } }),
    'the lake is unavailable: no answer',
  ],
  'service.starting': [
    statusWith({ redis: { ...WITHOUT_STORE, start: { machine: MACHINE, since: AT, at: AT } } }),
    `The first start has been loading the flight history since ${AT}. Calls get 503`,
  ],
  'disk.full': [disk(9e8), '900 MB free, 1000 MB required (MIN_FREE_MB)'],
  'disk.low': [disk(4.9e9), 'only 4.9 of 100.0 GB of the disk are free'],
  'data.stale': [
    statusWith({ newest: { flights: '2025-07', levels: '2025-12' } }),
    'the newest month is 2025-07 (16 months old)',
  ],
  'forecasts.stale': [
    statusWith({ newest: { flights: '2026-08', forecast: '2026-11-20T02:30:00Z' } }),
    'Forecasts are stale',
  ],
  'checks.warn': [
    withChecks('warn'),
    'Check volume warns of 3 rows: make check-data SELECT=volume',
  ],
  'model.failed': [
    statusWith(
      {},
      { modelFailures: [{ place: 'mill', version: 'abc', reason: 'NaN', since: AT, at: AT }] },
    ),
    'Imported model abc fails at mill: NaN. The model trained here answers instead.',
  ],
  'model.unusable': [
    statusWith({ model: { version: 'm1', refused: 'm2: damaged' } }),
    'the released model is not used: m2: damaged',
  ],
  'worker.missing': [
    statusWith({}, { queues: LIVE.queues.map((queue) => ({ ...queue, workers: 0 })) }),
    'no worker is connected, so no jobs or schedules run. Start one with make run',
  ],
  'schedules.late': [
    statusWith({}, { schedules: [{ ...SCHEDULE, isLate: true }] }),
    'schedules have not succeeded in time: nightly',
  ],
  'queue.stuck': [
    statusWith({}, { queues: LIVE.queues.map((queue) => ({ ...queue, oldestWaitS: 3_601 })) }),
    'a job on the queue warehouse has waited for more than 60 min',
  ],
};

test('a service without a problem is well', (t) => {
  t.deepEqual(verdictOf(statusWith({})), { code: 0, state: 'well', why: [], problems: [] });
});

for (const kind of CONDITION_NAMES) {
  test(`${kind}: the verdict has its name, its state, its exit code and what to do`, (t) => {
    const [status, text] = CASES[kind];
    const { code, state, problems } = verdictOf(status);
    t.deepEqual([...new Set(problems.map((problem) => problem.kind))], [kind]);
    t.is(state, conditionOf(kind).state);
    t.is(code, state === 'failing' ? 1 : 2);
    t.true(problems[0]?.text.includes(text), problems[0]?.text);
  });
}

test('a service without an API is failing after 20 s, and at once if no worker of the service runs', (t) => {
  const verdictAfter = (seconds: number, machines = [machineOf(MACHINE, 'a')]) => {
    const noApiSince = new Date(Date.parse(AT) - seconds * 1_000).toISOString();
    return verdictOf(statusWith({}, { machines, noApiSince }));
  };
  t.is(verdictAfter(19).code, 0);
  t.is(verdictAfter(20).code, 1);
  t.is(verdictAfter(0, []).code, 1);
  t.regex(verdictAfter(20).why.join(), /^no API runs, so no calls are answered: start one/);
});

test('failing problems come before degraded problems', (t) => {
  const { code, problems } = verdictOf(
    statusWith({ newest: { flights: '2025-07' } }, { lostKeys: 1 }),
  );
  t.is(code, 1);
  t.deepEqual(
    problems.map(({ kind }) => kind),
    ['keys.lost', 'data.stale'],
  );
});

test('an acknowledged warning does not count until it changes', (t) => {
  const acknowledged = (fingerprint: string) => [{ key: 'check volume', fingerprint }];
  const status = withChecks('warn');
  const redis = { ...LIVE, acknowledged: acknowledged('abc') };
  t.is(verdictOf({ ...status, redis }).code, 0);
  t.is(verdictOf({ ...status, redis: { ...LIVE, acknowledged: acknowledged('abd') } }).code, 2);
});

test('problems that only another machine can judge count; its other problems do not', (t) => {
  const lost = { key: 'lost keys of x', kind: 'keys.lost', text: 'lost', machine: 'x' } as const;
  const stale = { key: 'stale data', kind: 'data.stale', text: 'stale' } as const;
  const barn = { ...machineOf('/data on barn', 'a'), problems: [lost, stale] };
  const own = { ...machineOf(MACHINE, 'a'), problems: [{ ...lost, machine: MACHINE }] };
  const { problems } = verdictOf(statusWith({}, { machines: [barn, own] }));
  t.deepEqual(
    problems.map(({ kind }) => kind),
    ['keys.lost'],
  );
});

test('an empty data folder is failing; a machine without a store is well if another machine published one', (t) => {
  const store = { months: [], kept: [] };
  const empty = statusWith({ store, months: [], levels: { months: 0 } as Status['levels'] });
  t.is(verdictOf(empty).code, 0, 'another machine published');
  t.regex(
    verdictOf({ ...empty, redis: WITHOUT_STORE }).why.join(),
    /no months and no store yet: make run/,
  );
  t.is(verdictOf(statusWith({ store: { ...store, problem: 'torn' } })).code, 1);
});

test('a job that cannot start for want of disk space is a problem, also on the queue extract', (t) => {
  const shortOfDisk = [{ job: 'extract-file-1', why: 'waiting: the job needs about 9000 MB' }];
  const queues = LIVE.queues.map((queue) =>
    queue.queue === 'extract' ? { ...queue, shortOfDisk } : queue,
  );
  const { code, why } = verdictOf(statusWith({}, { queues }));
  t.is(code, 2);
  t.deepEqual(why, [
    'the job extract-file-1 on the queue extract cannot start, waiting: the job needs about 9000 MB',
  ]);
});

test('a worker of a command alone misses no schedules, and an extract may wait for hours', (t) => {
  const queues = LIVE.queues.map((queue) => ({
    ...queue,
    oldestWaitS: queue.queue === 'extract' ? 9_999 : 0,
  }));
  t.is(verdictOf(statusWith({}, { queues })).code, 0);
});

import test from 'ava';
import { verdictOf } from '../../../../jobs/cli/status/verdict.ts';
import type { Status } from '../../../../jobs/cli/status/types.ts';

function verdict(changes: Partial<Status>) {
  return verdictOf({
    months: [],
    levels: { months: 1 },
    store: { version: 'v1', months: [], kept: [] },
    redis: { state: 'up', queues: [], schedules: [] },
    stale: [],
    ...changes,
  } as unknown as Status);
}

const checks = (failures: number) => [{ check: 'rates', severity: 'error' as const, failures }];
const at = '2026-11-01T00:00:00Z';

test('the code is 0 if all is well, and 2 if data is only stale', (t) => {
  t.deepEqual(verdict({ build: { at, outcome: 'done', checks: checks(0) } }), { code: 0, why: [] });
  t.deepEqual(verdict({ stale: ['Flights are stale'] }), { code: 2, why: ['Flights are stale'] });
});

test('an empty data folder is failing, and a missing worker is stale', (t) => {
  const levels = { months: 0 } as Status['levels'];
  const empty = verdict({ store: { months: [], kept: [] }, levels });
  t.is(empty.code, 1);
  t.regex(empty.why.join(), /no months and no store yet: make run/);
  const queue = { queue: 'live', waiting: 0, active: 0, failed: 0, running: [], retrying: [] };
  const queues = [
    { ...queue, workers: 0 },
    { ...queue, workers: 1 },
  ];
  const idle = verdict({ redis: { state: 'up', queues, schedules: [] } });
  t.is(idle.code, 2);
  t.regex(idle.why.join(), /no worker is connected/);
});

test('a machine without a store is well if another machine published one', (t) => {
  const store = { months: [], kept: [] };
  const redis = { state: 'up' as const, queues: [], schedules: [], storeVersion: 'v3' };
  t.deepEqual(verdict({ store, redis }), { code: 0, why: [] });
  t.is(verdict({ store: { ...store, problem: 'torn' }, redis }).code, 1);
});

test('a failing check, build, store, month, job or Redis is 1, even if data is stale too', (t) => {
  const stale = ['Flights are stale'];
  const incident = {
    key: 'job nightly',
    kind: 'job.failed' as const,
    text: 'nightly failed',
    since: at,
  };
  const lostKeys = { ...incident, kind: 'keys.lost' as const, text: 'keys are lost' };
  const cases: [Partial<Status>, string][] = [
    [{ build: { at, outcome: 'done', checks: checks(3) } }, 'check rates fails'],
    [{ build: { at, outcome: 'failed', checks: [] } }, 'the last build failed'],
    [{ store: { months: [], kept: [] } }, 'nothing is published yet: make features publish'],
    [{ store: { months: [], kept: [], problem: 'torn' } }, 'the store cannot be used: torn'],
    [{ months: [{ month: '2025-03', state: 'damaged' }] }, '2025-03 is damaged in the lake'],
    [
      { redis: { state: 'up', queues: [], schedules: [], incidents: [incident] } },
      'nightly failed',
    ],
    [{ redis: { state: 'up', queues: [], schedules: [], incidents: [lostKeys] } }, 'keys are lost'],
    [{ redis: { state: 'away', error: 'no answer' } }, 'Redis is unreachable: no answer'],
  ];
  for (const [changes, why] of cases) {
    t.deepEqual(verdict({ stale, ...changes }), { code: 1, why: [why] });
  }
});

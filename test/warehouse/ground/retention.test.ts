import test from 'ava';
import { DEFAULT_RETENTION, retained } from '../../../warehouse/ground/retention.ts';

const keep = (times: string[], retention = DEFAULT_RETENTION) =>
  retained(times, (time) => Date.parse(time), retention);

test('the newest versions, the last of each day and the last of each week stay', (t) => {
  const times = [
    '2026-10-18T10:00Z',
    '2026-10-25T10:00Z',
    '2026-11-01T10:00Z',
    '2026-11-18T10:00Z',
    '2026-11-19T08:00Z',
    '2026-11-19T10:00Z',
    '2026-11-20T10:01Z',
    '2026-11-20T10:02Z',
    '2026-11-20T10:03Z',
  ];
  t.deepEqual(keep(times, { newest: 2, days: 0, weeks: 0 }), times.slice(-2));
  t.deepEqual(keep(times, { newest: 0, days: 3, weeks: 0 }), [
    '2026-11-18T10:00Z',
    '2026-11-19T10:00Z',
    '2026-11-20T10:03Z',
  ]);
  // Sunday ends a week.
  t.deepEqual(keep(times, { newest: 0, days: 0, weeks: 3 }), [
    '2026-10-25T10:00Z',
    '2026-11-01T10:00Z',
    '2026-11-20T10:03Z',
  ]);
});

test('any number of versions within minutes removes no version of other days', (t) => {
  const old = ['2026-08-01T10:00Z', '2026-09-15T10:00Z', '2026-10-01T10:00Z'];
  const now = Array.from({ length: 40 }, (_, minute) => `2026-11-20T10:${minute + 10}Z`);
  t.deepEqual(keep([...now, ...old]), [...old, ...now.slice(-5)]);
});

test('a Sunday and the Monday after it are in different weeks', (t) => {
  const [sunday, monday] = ['2026-11-22T23:59Z', '2026-11-23T00:00Z'];
  t.deepEqual(keep([sunday, monday], { newest: 0, days: 0, weeks: 2 }), [sunday, monday]);
  t.deepEqual(keep([sunday, monday], { newest: 0, days: 0, weeks: 1 }), [monday]);
});

import test from 'ava';
import { finishedMonths, quotaMonth } from '../../../warehouse/keyring/month.ts';
import { secondsUntilReset } from '../../../api/middleware/answer-headers.ts';

test('the quota month is the calendar month in UTC, in any local time zone', (t) => {
  t.deepEqual(quotaMonth(new Date('2026-01-31T23:59:59.999Z')), {
    name: '2026-01',
    startsAt: new Date('2026-01-01T00:00:00Z'),
    endsAt: new Date('2026-02-01T00:00:00Z'),
  });
  t.is(quotaMonth(new Date('2026-01-31T23:30:00-05:00')).name, '2026-02');
});

test('the month after December is January of the next year', (t) => {
  t.deepEqual(
    quotaMonth(new Date('2026-12-05T00:00:00Z')).endsAt,
    new Date('2027-01-01T00:00:00Z'),
  );
});

test('finished months include the partial first month and exclude the current month', (t) => {
  const months = (from: string, now: string) => finishedMonths(new Date(from), new Date(now));
  t.deepEqual(months('2025-11-30T23:59:59Z', '2026-02-01T00:00:00Z'), [
    '2025-11',
    '2025-12',
    '2026-01',
  ]);
  t.deepEqual(months('2026-02-01T00:00:00Z', '2026-02-28T23:59:59Z'), []);
});

test('seconds to the end of the month are rounded up, so that the wait is long enough', (t) => {
  t.is(secondsUntilReset(new Date('2026-01-31T23:59:58.001Z')), 2);
  t.is(secondsUntilReset(new Date('2026-02-01T00:00:00Z')), 28 * 86_400);
});

test('the cached month does not affect the next result', (t) => {
  const name = (at: string) => quotaMonth(new Date(at)).name;
  t.is(name('2026-01-31T23:59:59.999Z'), '2026-01');
  t.is(name('2026-02-01T00:00:00Z'), '2026-02');
  t.is(name('2026-01-31T23:59:59.999Z'), '2026-01');
});

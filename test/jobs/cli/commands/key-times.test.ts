import test from 'ava';
import { endOf, graceOf } from '../../../../jobs/cli/commands/key-times.ts';

const NOW = new Date('2026-03-10T14:00:00Z');

test('a key ends at the beginning of a day in UTC, or at a moment', (t) => {
  t.is(endOf('2027-01-01', NOW).toISOString(), '2027-01-01T00:00:00.000Z');
  t.is(endOf('2026-03-10T14:30Z', NOW).toISOString(), '2026-03-10T14:30:00.000Z');
});

test('an end that is past, or no day, is refused', (t) => {
  t.throws(() => endOf('2026-03-10', NOW), { message: /is past/ });
  for (const text of ['2027-02-30', 'tomorrow', '2027-1-1', '']) {
    t.throws(() => endOf(text, NOW), { message: /no day/ }, text);
  }
});

test('a grace is minutes, hours, days or none', (t) => {
  t.deepEqual(['30m', '12h', '7d', '0'].map(graceOf), [1_800_000, 43_200_000, 604_800_000, 0]);
  for (const text of ['7', '1w', '-1d', '']) t.throws(() => graceOf(text), { message: /GRACE/ });
});

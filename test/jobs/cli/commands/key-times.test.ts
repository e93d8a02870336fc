import test from 'ava';
import { parseKeyEnd, parseGrace } from '../../../../jobs/cli/commands/keys.ts';

const NOW = new Date('2026-03-10T14:00:00Z');

test('a key ends at the start of a day in UTC, or at a moment', (t) => {
  t.is(parseKeyEnd('2027-01-01', NOW).toISOString(), '2027-01-01T00:00:00.000Z');
  t.is(parseKeyEnd('2026-03-10T14:30Z', NOW).toISOString(), '2026-03-10T14:30:00.000Z');
});

test('an end in the past and an invalid day are refused', (t) => {
  t.throws(() => parseKeyEnd('2026-03-10', NOW), { message: /is in the past/ });
  for (const text of ['2027-02-30', 'tomorrow', '2027-1-1', '']) {
    t.throws(() => parseKeyEnd(text, NOW), { message: /is not a day/ }, text);
  }
});

test('a grace period is given in minutes, hours or days, or as 0', (t) => {
  t.deepEqual(['30m', '12h', '7d', '0'].map(parseGrace), [1_800_000, 43_200_000, 604_800_000, 0]);
  for (const text of ['7', '1w', '-1d', '']) t.throws(() => parseGrace(text), { message: /GRACE/ });
});

import test from 'ava';
import { stalenessOf } from '../../../jobs/watch/staleness.ts';

const NOW = new Date('2026-11-01T00:00:00Z');
const stale = (...args: Parameters<typeof stalenessOf>) =>
  stalenessOf(...args).flatMap((signal) => (signal.isResolved ? [] : signal.text));

test('flights are stale more than the set number of days after the end of their newest month', (t) => {
  t.deepEqual(stale({ flights: '2026-08' }, NOW, 61), []);
  t.deepEqual(stale({ flights: '2026-08' }, NOW, 60), [
    'Flights are stale: the newest month is 2026-08',
  ]);
});

test('without a setting, flights are stale when the history is old; without data, nothing is stale', (t) => {
  t.deepEqual(stale({ flights: '2025-11' }, NOW, undefined), []);
  t.is(stale({ flights: '2025-10' }, NOW, undefined).length, 1);
  t.deepEqual(stale({ flights: '2025-04', levels: '2025-12' }, NOW, undefined), []);
  t.deepEqual(stale({}, NOW, 1), []);
});

test('forecasts are stale when the newest is too old for scores', (t) => {
  t.deepEqual(stale({ forecast: '2026-10-30T12:00:00Z' }, NOW, undefined), []);
  t.deepEqual(stale({ forecast: '2026-10-30T11:59:59Z' }, NOW, undefined), [
    'Forecasts are stale: the newest was fetched at 2026-10-30T11:59:59Z',
  ]);
});

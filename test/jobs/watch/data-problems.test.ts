import test from 'ava';
import { findDataProblems, type Newest } from '../../../jobs/watch/data-problems.ts';

const NOW = new Date('2026-11-01T00:00:00Z');
const stale = (
  newest: Newest,
  now: Date,
  staleAfterDays: number | undefined,
  hasDownloads = false,
) => findDataProblems(newest, now, { staleAfterDays, hasDownloads }).map(({ text }) => text);

test('flights are stale more than the set number of days after the end of their newest month', (t) => {
  t.deepEqual(stale({ flights: '2026-08' }, NOW, 61), []);
  t.deepEqual(stale({ flights: '2026-08' }, NOW, 60), [
    'Flights are stale: the newest month is 2026-08 (3 months old). Load newer months with make backfill or make ingest',
  ]);
});

test('without a setting, flights are stale when the history is old; without data, nothing is stale', (t) => {
  t.deepEqual(stale({ flights: '2025-11' }, NOW, undefined), []);
  t.is(stale({ flights: '2025-10' }, NOW, undefined).length, 1);
  t.deepEqual(stale({ flights: '2025-04', levels: '2025-12' }, NOW, undefined), []);
  t.deepEqual(stale({}, NOW, 1), []);
});

test('with downloads, flights are stale when BTS has published newer ones; months chosen by hand are not', (t) => {
  const now = new Date('2026-11-23T00:00:00Z');
  const old = { flights: '2025-07', levels: '2025-12' };
  t.deepEqual(stale(old, now, undefined, true), [
    'Flights are stale: the newest month is 2025-07 (16 months old), and the delay-cause table ends in 2025-12 (11 months old). ' +
      'Load newer months with make backfill or make ingest',
  ]);
  t.deepEqual(stale(old, now, undefined, false), []);
  t.deepEqual(stale({ flights: '2026-06' }, now, undefined, true), []);
  t.is(stale({ flights: '2026-05' }, now, undefined, true).length, 1);
});

test('forecasts are stale when the newest is too old for scores', (t) => {
  t.deepEqual(stale({ forecast: '2026-10-30T12:00:00Z' }, NOW, undefined), []);
  t.deepEqual(stale({ forecast: '2026-10-30T11:59:59Z' }, NOW, undefined), [
    "Forecasts are stale: the newest was fetched at 2026-10-30T11:59:59Z. Find in the worker's log why refresh-weather failed",
  ]);
});

import test from 'ava';
import { congestionOf } from '../../models/congestion.ts';
import { aStore } from '../helpers/store.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-22' };
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const perHour = (values: Record<number, number>) =>
  Float32Array.from(HOURS, (hour) => values[hour] ?? 0);

/** Quiet at 6, busy at 17; DL departs three times as often at 6, all airlines together as often at both. */
function storeWithHours() {
  return {
    ...aStore(),
    congestionByHour: () => perHour({ 6: 0.25, 17: 0.75 }),
    departureHours: (_origin: string, _dest: string, carrier?: string) =>
      carrier === 'DL' ? perHour({ 6: 30, 17: 10 }) : undefined,
  };
}

test('a departure meets the congestion of its hour', (t) => {
  const at = (crsDepHour: number) => congestionOf({ ...QUERY, crsDepHour }, storeWithHours()).dep;
  t.deepEqual([at(6), at(17), at(3)], [0.25, 0.75, 0]);
});

test('without an hour a departure meets the mean over the hours its airline departs in', (t) => {
  t.is(congestionOf(QUERY, storeWithHours()).dep, 0.375);
});

test('an airline new to the route departs when the others do', (t) => {
  const store = {
    ...storeWithHours(),
    departureHours: (_origin: string, _dest: string, carrier?: string) =>
      carrier === undefined ? perHour({ 6: 1, 17: 1 }) : undefined,
  };
  t.is(congestionOf(QUERY, store).dep, 0.5);
});

test('where no hours are known a departure meets the mean of the day', (t) => {
  for (const hours of [undefined, perHour({})]) {
    const store = { ...storeWithHours(), departureHours: () => hours, congestion: () => 0.4 };
    t.is(congestionOf(QUERY, store).dep, 0.4);
  }
});

test('an arrival meets the congestion of the hour it lands in', (t) => {
  // New York to Los Angeles: five hours and a half in the air, three back by the clock.
  const at = (crsDepHour: number) => congestionOf({ ...QUERY, crsDepHour }, storeWithHours()).arr;
  t.deepEqual([at(4), at(15), at(6)], [0.25, 0.75, 0]);
});

test('without an hour an arrival meets the mean over the hours its airline lands in', (t) => {
  const store = { ...storeWithHours(), congestionByHour: () => perHour({ 8: 0.25, 19: 0.75 }) };
  t.is(congestionOf(QUERY, store).arr, 0.375);
});

import test from 'ava';
import { congestionOf } from '../../models/congestion.ts';
import { aStore } from '../helpers/store.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-22' };
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const byHour = (values: Record<number, number>) =>
  Float32Array.from(HOURS, (hour) => values[hour] ?? 0);

/** Congestion is low at 6:00 and high at 17:00. DL has three times as many departures at 6:00. */
function storeWithHours() {
  return {
    ...aStore(),
    congestionByHour: () => byHour({ 6: 0.25, 17: 0.75 }),
    departureHours: (_origin: string, _dest: string, carrier?: string) =>
      carrier === 'DL' ? byHour({ 6: 30, 17: 10 }) : undefined,
  };
}

test('a departure has the congestion of its hour', (t) => {
  const at = (crsDepHour: number) => congestionOf({ ...QUERY, crsDepHour }, storeWithHours()).dep;
  t.deepEqual([at(6), at(17), at(3)], [0.25, 0.75, 0]);
});

test('without an hour a departure has the mean congestion of its airline’s departure hours', (t) => {
  t.is(congestionOf(QUERY, storeWithHours()).dep, 0.375);
});

test('an airline new to the route is assumed to depart at the same hours as the other airlines', (t) => {
  const store = {
    ...storeWithHours(),
    departureHours: (_origin: string, _dest: string, carrier?: string) =>
      carrier === undefined ? byHour({ 6: 1, 17: 1 }) : undefined,
  };
  t.is(congestionOf(QUERY, store).dep, 0.5);
});

test('without known departure hours a departure has the mean congestion of the day', (t) => {
  for (const hours of [undefined, byHour({})]) {
    const store = { ...storeWithHours(), departureHours: () => hours, congestion: () => 0.4 };
    t.is(congestionOf(QUERY, store).dep, 0.4);
  }
});

test('an arrival has the congestion of its hour of arrival', (t) => {
  // From New York to Los Angeles, the flight takes five and a half hours, and Los Angeles is three hours behind.
  const at = (crsDepHour: number) => congestionOf({ ...QUERY, crsDepHour }, storeWithHours()).arr;
  t.deepEqual([at(4), at(15), at(6)], [0.25, 0.75, 0]);
});

test('without an hour an arrival has the mean congestion of its airline’s arrival hours', (t) => {
  const store = { ...storeWithHours(), congestionByHour: () => byHour({ 8: 0.25, 19: 0.75 }) };
  t.is(congestionOf(QUERY, store).arr, 0.375);
});

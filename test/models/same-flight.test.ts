import test from 'ava';
import { memoizeFlight, memoizeUndated } from '../../models/same-flight.ts';
import type { FlightQuery } from '../../models/types.ts';
import { aStore } from '../helpers/store.ts';

const FLIGHT: FlightQuery = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-20' };
const OTHERS: FlightQuery[] = [
  { ...FLIGHT, origin: 'EWR' },
  { ...FLIGHT, dest: 'SFO' },
  { ...FLIGHT, carrier: 'DL' },
  { ...FLIGHT, crsDepHour: 0 },
  { ...FLIGHT, isBrand: true },
];

test('a fact of a flight is computed again for another route, airline or hour', (t) => {
  const store = aStore();
  const factOf = memoizeUndated((flight) => ({ ...flight }));
  for (const other of OTHERS) {
    const fact = factOf({ ...FLIGHT }, store);
    const onAnotherDay = { ...FLIGHT, flightDate: '2026-12-21' };
    t.is(factOf(onAnotherDay, store), fact);
    t.deepEqual(factOf(other, store), other);
  }
});

test('a fact of a day is also computed again for another date', (t) => {
  const store = aStore();
  const factOf = memoizeFlight((flight) => ({ ...flight }));
  for (const other of [...OTHERS, { ...FLIGHT, flightDate: '2026-12-21' }]) {
    const fact = factOf({ ...FLIGHT }, store);
    t.is(factOf({ ...FLIGHT }, store), fact);
    t.deepEqual(factOf(other, store), other);
  }
});

test('each store has its own facts', (t) => {
  const factOf = memoizeUndated((_, store) => store);
  for (const store of [aStore(), aStore()]) t.is(factOf(FLIGHT, store), store);
});

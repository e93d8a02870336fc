import test from 'ava';
import { hourSharesOf } from '../../models/hour-shares.ts';
import { aStore } from '../helpers/store.ts';
import { hours } from './helpers/hours.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-22' };

const STORE = {
  ...aStore(),
  departureHours: (_origin: string, _dest: string, carrier?: string) => {
    if (carrier === undefined) return hours({ 6: 30, 18: 10, 20: 10 });
    return carrier === 'DL' ? hours({ 6: 30, 18: 10 }) : undefined;
  },
};

/** Pairs of hour and percentage. */
function casesFor(carrier: string) {
  const { depHours, shares } = hourSharesOf({ ...QUERY, carrier }, STORE);
  return depHours.map((hour, at) => [hour, Math.round(100 * shares[at]!)]);
}

test('a query with an hour gets this hour', (t) => {
  const query = { ...QUERY, crsDepHour: 9 };
  t.deepEqual(hourSharesOf(query, STORE), { depHours: [9], shares: [1] });
});

test('a query without an hour gets its airline’s hours, with shares that add up to 1', (t) => {
  t.deepEqual(casesFor('DL'), [
    [6, 75],
    [18, 25],
  ]);
});

test('an airline new to the route gets the hours of the other airlines', (t) => {
  t.deepEqual(casesFor('NZ'), [
    [6, 60],
    [18, 20],
    [20, 20],
  ]);
});

test('without hours in the history the hour stays unknown', (t) => {
  t.deepEqual(hourSharesOf(QUERY, aStore()), { depHours: [Number.NaN], shares: [1] });
});

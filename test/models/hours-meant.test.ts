import test from 'ava';
import { hoursMeant } from '../../models/hours-meant.ts';
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

/** Hour and percent of each flight the question stands for. */
function casesFor(carrier: string) {
  const { depHours, shares } = hoursMeant({ ...QUERY, carrier }, STORE);
  return depHours.map((hour, at) => [hour, Math.round(100 * shares[at]!)]);
}

test('a flight with its hour stands for itself', (t) => {
  const query = { ...QUERY, crsDepHour: 9 };
  t.deepEqual(hoursMeant(query, STORE), { depHours: [9], shares: [1] });
});

test('a flight without stands for those of its airline, shares adding up to 1', (t) => {
  t.deepEqual(casesFor('DL'), [
    [6, 75],
    [18, 25],
  ]);
});

test('an airline new to the route is taken to leave when the others do', (t) => {
  t.deepEqual(casesFor('NZ'), [
    [6, 60],
    [18, 20],
    [20, 20],
  ]);
});

test('where history knows no hours the flight stays without one', (t) => {
  t.deepEqual(hoursMeant(QUERY, aStore()), { depHours: [Number.NaN], shares: [1] });
});

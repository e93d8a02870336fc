import test from 'ava';
import { casesOf } from '../../models/expectation.ts';
import { aStore } from '../helpers/store.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-22' };

const STORE = {
  ...aStore(),
  departureHours: (_origin: string, _dest: string, carrier: string) =>
    carrier === 'DL'
      ? [
          { hour: 6, share: 0.6 },
          { hour: 18, share: 0.2 },
        ]
      : [],
};

test('a flight with its hour stands for itself', (t) => {
  const query = { ...QUERY, depHour: 9 };
  t.deepEqual(casesOf(query, STORE), [{ query, share: 1 }]);
});

test('a flight without stands for those of its airline, shares adding up to 1', (t) => {
  t.deepEqual(
    casesOf(QUERY, STORE).map(({ query, share }) => [query.depHour, Math.round(100 * share)]),
    [
      [6, 75],
      [18, 25],
    ],
  );
});

test('where history knows no hours the flight stays without one', (t) => {
  const query = { ...QUERY, carrier: 'AA' };
  t.deepEqual(casesOf(query, STORE), [{ query, share: 1 }]);
});

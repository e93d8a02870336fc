import test from 'ava';
import { MAX_FLIGHTS, splitFlight } from '../../../api/schemas/flight-text.ts';
import { MAX_LEGS } from '../../../models/trip.ts';

const NONE = { flight: '', origin: '', dest: '', airline: '', date: '', times: '' };

test('a flight by route has its parts in order', (t) => {
  const route = { origin: 'JFK', dest: 'LAX', airline: '9E' };
  t.deepEqual(splitFlight('JFK-LAX-9E-2026-12-20T08:00-09:45'), {
    ...{ ...NONE, ...route, date: '2026-12-20', times: '08:00-09:45' },
  });
  t.deepEqual(splitFlight('JFK-LAX'), { ...NONE, origin: 'JFK', dest: 'LAX' });
  t.deepEqual(splitFlight(''), NONE);
});

test('a flight by number has a date, and up to two airports that choose a leg', (t) => {
  const date = '2026-12-20';
  t.deepEqual(splitFlight('DL 423-2026-12-20'), { ...NONE, flight: 'DL 423', date });
  t.deepEqual(splitFlight('9E1-JFK-2026-12-20t17:30'), {
    ...{ ...NONE, flight: '9E1', origin: 'JFK', date, times: '17:30' },
  });
  t.deepEqual(splitFlight('9E1-JFK-LAX-2026-12-20'), {
    ...{ ...NONE, flight: '9E1', origin: 'JFK', dest: 'LAX', date },
  });
  t.deepEqual(splitFlight('9E1'), { ...NONE, flight: '9E1' });
});

test('the form of a trip has a row for each flight that a trip may have', (t) => {
  t.is(MAX_FLIGHTS, MAX_LEGS);
});

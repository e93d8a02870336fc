import test from 'ava';
import { measureShare, type AirportMeasure } from '../../models/airport-measures.ts';

const share = (airport: string, kind: AirportMeasure['kind']) =>
  measureShare({ airport, kind }, { origin: 'JFK', dest: 'SFO' });

test('a ground stop or delay applies fully to arrivals at the airport, and by half to departures', (t) => {
  for (const kind of ['stop', 'delay'] as const) {
    t.is(share('SFO', kind), 1);
    t.is(share('JFK', kind), 0.5);
    t.is(share('BOS', kind), 0);
  }
});

test('departure delays apply at the origin, arrival delays at the destination', (t) => {
  t.is(share('JFK', 'departures'), 1);
  t.is(share('SFO', 'departures'), 0);
  t.is(share('JFK', 'arrivals'), 0);
  t.is(share('SFO', 'arrivals'), 1);
});

test('a closed airport affects departures and arrivals', (t) => {
  t.deepEqual(
    [share('JFK', 'closure'), share('SFO', 'closure'), share('BOS', 'closure')],
    [1, 1, 0],
  );
});

import test from 'ava';
import { nasRisk, type AirportMeasure } from '../../models/nas-risk.ts';

const risk = (measures: AirportMeasure[], origin = 'JFK', dest = 'SFO') =>
  Math.round(1000 * nasRisk({ origin, dest }, measures)) / 1000;

test('a ground stop or delay holds flights to its airport, and half of it those from it', (t) => {
  for (const kind of ['stop', 'delay'] as const) {
    t.is(risk([{ airport: 'SFO', kind, severity: 0.8 }]), 0.8);
    t.is(risk([{ airport: 'JFK', kind, severity: 0.8 }]), 0.4);
    t.is(risk([{ airport: 'BOS', kind, severity: 0.8 }]), 0);
  }
});

test('delays of departures are those of the origin, of arrivals those of the destination', (t) => {
  t.is(risk([{ airport: 'JFK', kind: 'departures', severity: 0.5 }]), 0.5);
  t.is(risk([{ airport: 'SFO', kind: 'departures', severity: 0.5 }]), 0);
  t.is(risk([{ airport: 'JFK', kind: 'arrivals', severity: 0.5 }]), 0);
  t.is(risk([{ airport: 'SFO', kind: 'arrivals', severity: 0.5 }]), 0.5);
});

test('measures at both ends add up without passing 1', (t) => {
  t.is(
    risk([
      { airport: 'JFK', kind: 'closure', severity: 0.9 },
      { airport: 'SFO', kind: 'closure', severity: 0.9 },
    ]),
    0.99,
  );
});

import test from 'ava';
import { connectionKind } from '../../models/connecting-times.ts';

const flight = (from: string, to: string) => ({
  origin: { countryCode: from },
  dest: { countryCode: to },
});

test('the kind of a connection follows from the borders on the way', (t) => {
  const kind = (a: string, b: string, c: string) =>
    connectionKind(flight(a, b), flight(b, c), false);
  t.is(kind('US', 'US', 'US'), 'domestic');
  t.is(kind('PR', 'US', 'VI'), 'domestic');
  t.is(kind('US', 'US', 'GB'), 'to_abroad');
  t.is(kind('GB', 'US', 'US'), 'from_abroad');
  t.is(kind('GB', 'US', 'MX'), 'from_abroad');
  t.is(kind('DE', 'CH', 'FR'), 'domestic');
  t.is(kind('DE', 'FR', 'GB'), 'to_abroad');
  t.is(connectionKind(flight('US', 'US'), flight('US', 'US'), true), 'separate_tickets');
});

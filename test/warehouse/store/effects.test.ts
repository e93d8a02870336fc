import test from 'ava';
import fc from 'fast-check';
import { FEATURES } from '../../../models/features.ts';
import { effectTable } from '../../helpers/store.ts';

const AIRPORTS = ['JFK', 'LAX', 'AAA', 'ORD'];
const CARRIERS = ['AA', 'DL', '9E'];

type Flight = { origin: string; dest: string; carrier: string };

/** Builds the key of each kind for a flight, as `effects/groups.sql` does. */
const KEYS: Record<string, (flight: Flight, half: string, hour: number) => string> = {
  carrier_level: ({ carrier }) => carrier,
  origin_level: ({ origin }) => origin,
  dest_level: ({ dest }) => dest,
  origin_half_year_level: ({ origin }, half) => origin + half,
  dest_half_year_level: ({ dest }, half) => dest + half,
  origin_carrier_level: ({ origin, carrier }) => origin + carrier,
  dest_carrier_level: ({ dest, carrier }) => dest + carrier,
  hour: (_, __, hour) => `${hour}`,
  half_year_hour: (_, half, hour) => `${half}${hour}`,
  carrier: ({ carrier }) => carrier,
  origin: ({ origin }) => origin,
  dest: ({ dest }) => dest,
  origin_carrier: ({ origin, carrier }) => origin + carrier,
  route: ({ origin, dest }) => origin + dest,
  route_carrier: ({ origin, dest, carrier }) => origin + dest + carrier,
  carrier_hours: ({ carrier }, _, hour) => `${carrier}@${Math.floor(hour / 3)}`,
  origin_hours: ({ origin }, _, hour) => `${origin}@${Math.floor(hour / 2)}`,
  dest_hours: ({ dest }, _, hour) => `${dest}@${Math.floor(hour / 3)}`,
  route_carrier_hours: ({ origin, dest, carrier }, _, hour) =>
    `${origin}${dest}${carrier}@${Math.floor(hour / 4)}`,
  origin_half_year_hours: ({ origin }, half, hour) => `${origin}@${half}${Math.floor(hour / 3)}`,
};

const flights = fc.record({
  origin: fc.constantFrom(...AIRPORTS),
  dest: fc.constantFrom(...AIRPORTS),
  carrier: fc.constantFrom(...CARRIERS),
});
const halves = fc.constantFrom<('S' | 'W')[]>('S', 'W');
const queries = fc.record({ flight: flights, half: halves, hour: fc.integer({ min: 0, max: 23 }) });

test('every effect is found under its key, and is 0 for a group without an effect', (t) => {
  fc.assert(
    fc.property(fc.array(queries), fc.array(queries, { minLength: 1 }), (stored, requests) => {
      const effects = new Map<string, number>();
      for (const { flight, half, hour } of stored) {
        for (const [kind, keyOf] of Object.entries(KEYS)) {
          effects.set(`${kind} ${keyOf(flight, half, hour)}`, effects.size + 1);
        }
      }
      const table = effectTable({ ...Object.fromEntries(effects), 'dest_year JFK': 9 });
      for (const { flight, half, hour } of requests) {
        const positions = table.positionsOf(flight, half);
        for (const [at, kind] of table.kinds.entries()) {
          const block = table.hours[at]!;
          const effect =
            table.values[positions[at]! + (block === 0 ? 0 : Math.floor(hour / block))];
          t.is(effect, effects.get(`${kind} ${KEYS[kind]!(flight, half, hour)}`) ?? 0);
        }
      }
    }),
  );
});

test('a code without effects has effect 0', (t) => {
  const {
    positionsOf: placesOf,
    values,
    kinds,
  } = effectTable({ 'carrier AA': 0.5, 'route JFKLAX': 0.7 });
  const effectsOf = (flight: Flight) =>
    Array.from(placesOf(flight, 'S'), (position) => values[position]);
  const [carrier, route] = [kinds.indexOf('carrier'), kinds.indexOf('route')];
  const effects = effectsOf({ origin: 'JFK', dest: 'ZZZ', carrier: 'AA' });
  t.is(effects[carrier], 0.5);
  t.is(effects[route], 0);
  t.deepEqual(new Set(effectsOf({ origin: 'ZZZ', dest: 'YYY', carrier: 'XX' })), new Set([0]));
});

test('the store has its effects in the order of the features', (t) => {
  const effects = FEATURES.flatMap(({ name }) =>
    name.endsWith('_effect') ? name.slice(0, -'_effect'.length) : [],
  );
  t.deepEqual(effectTable({}).kinds, effects);
});

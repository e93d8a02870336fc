import test from 'ava';
import { operatedHours, soldAirlines } from '../../models/sold-airlines.ts';
import { routeSellers, sellersOf } from '../../models/sellers.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { aBrandStore } from '../helpers/brand-store.ts';
import { aStore, someStats } from '../helpers/store.ts';

const JFK_LAX = { origin: 'JFK', dest: 'LAX' };

/** As in `aBrandStore`; Delta flies the route itself, and Republic has 1,000 more flights that nobody sells. */
function aStoreWithDelta(): ScoreStore {
  const store = aBrandStore();
  const { carriersOnRoute, routeCarrier, recordMonths } = aStore({
    carriers: {
      'JFK-LAX': [
        { carrier: 'DL', ...someStats() },
        { carrier: 'MQ', ...someStats({ flightCount: 750 }) },
        { carrier: 'YX', ...someStats({ flightCount: 1250 }) },
      ],
    },
  });
  return { ...store, carriersOnRoute, routeCarrier, recordMonths };
}

const codesIn = (store: ScoreStore) =>
  soldAirlines('JFK', 'LAX', store).map(({ carrier, isCurrent }) => [carrier, isCurrent]);

test('a route has the airlines on the tickets; an operator is listed only if it sells most of its flights', (t) => {
  t.deepEqual(codesIn(aBrandStore()), [['AA', true]]);
  t.deepEqual(codesIn(aStoreWithDelta()), [
    ['AA', true],
    ['DL', true],
    ['YX', true],
  ]);
  const [american] = soldAirlines('JFK', 'LAX', aBrandStore());
  t.is(american?.flightCount, 1000);
  t.deepEqual(
    american?.brand?.operators.map(({ carrier }) => carrier),
    ['MQ', 'YX'],
  );
});

test('flights that others sell count once: for their brand, and not for their operator', (t) => {
  const store = aStoreWithDelta();
  const brand = store.brand('JFK', 'LAX', 'AA')!;
  const [envoy, republic] = brand.operators;
  const stats = {
    ...{ ...republic!.stats, flightCount: 250, completedCount: 240 },
    ...{ delayedCount: 40, cancelledCount: 5, delayedMinSum: 2400 },
  };
  const sold = { ...brand, operators: [envoy!, { ...republic!, stats }] };
  const all = soldAirlines('JFK', 'LAX', { ...store, brand: () => sold });
  t.deepEqual(
    all.map(({ carrier, flightCount }) => [carrier, flightCount]),
    [
      ['AA', 1000],
      ['DL', 1000],
      ['YX', 1000],
    ],
  );
  // The record on the route: 1000 flights of Delta, 750 of Envoy and 1250 of Republic.
  t.is(
    all.reduce((flights, { flightCount }) => flights + flightCount, 0),
    3000,
  );
  t.like(all[2], {
    ...{ completedCount: 740, delayedCount: 156, cancelledCount: 10, delayedMinSum: 9360 },
    delayedRate: 0.19,
  });
});

test('without data about brands, an operator stands for itself', (t) => {
  const store = { ...aBrandStore(), brandsOnRoute: () => [], brand: () => undefined };
  t.deepEqual(codesIn(store), [
    ['MQ', true],
    ['YX', true],
  ]);
});

test('a brand without flights in the newest twelve months of the route is not current', (t) => {
  const store = aStoreWithDelta();
  const months = { first: '2018-01', last: '2026-02' };
  const brand = store.brand('JFK', 'LAX', 'AA')!;
  const left = { ...brand, months: { first: '2018-01', last: '2025-02' } };
  t.deepEqual(codesIn({ ...store, recordMonths: () => months, brand: () => left })[0], [
    'AA',
    false,
  ]);
});

test('the hours of a brand are those of its operators, the hours of an operator all that it flies', (t) => {
  const store = { ...aBrandStore(), departureHours: () => new Float32Array(24).fill(2) };
  const hoursOf = (service: { carrier: string; isBrand?: true }) =>
    [...operatedHours([{ ...JFK_LAX, ...service }], store)].map(({ route, departures }) => [
      route.carrier,
      departures[8],
      departures[18],
    ]);
  t.deepEqual(hoursOf({ carrier: 'AA', isBrand: true }), [
    ['MQ', 1, 0],
    ['YX', 0, 1],
  ]);
  t.deepEqual(hoursOf({ carrier: 'YX' }), [['YX', 2, 2]]);
});

test('an operator has the brands that sell its flights, with their share and how much of it is inferred', (t) => {
  const store = { ...aStoreWithDelta(), airlineRoutes: () => [{ ...JFK_LAX, carrier: 'YX' }] };
  const [own, republic] = store.brand('JFK', 'LAX', 'AA')!.operators;
  const operators = [own!, { ...republic!, inferredShare: 0.5, confidence: 0.9 }];
  const brand = { ...store.brand('JFK', 'LAX', 'AA')!, operators };
  t.deepEqual(sellersOf('YX', { ...store, brand: () => brand }), [
    { brand: 'AA', share: 0.2, inferredShare: 0.5, confidence: 0.9, last: '2026-02' },
  ]);
  t.deepEqual(sellersOf('DL', store), []);
});

test('the sellers of an operator on a route are brands and, for the other flights, the operator itself', (t) => {
  const store = aStoreWithDelta();
  const [own, republic] = store.brand('JFK', 'LAX', 'AA')!.operators;
  const operators = [own!, { ...republic!, inferredShare: 0.5, confidence: 0.9 }];
  const brand = { ...store.brand('JFK', 'LAX', 'AA')!, operators };
  const sellers = (carrier: string) =>
    routeSellers({ ...JFK_LAX, carrier }, { ...store, brand: () => brand });
  t.deepEqual(sellers('YX'), { brands: ['YX', 'AA'], inferredShare: 0.1, confidence: 0.9 });
  t.deepEqual(sellers('MQ'), { brands: ['AA'], inferredShare: 0 });
  t.deepEqual(sellers('DL'), { brands: ['DL'], inferredShare: 0 });
});

import test from 'ava';
import { departuresOf, operatedFlights, statsOf } from '../../models/brands.ts';
import { outcomeOddsOf } from '../../models/outcome-odds.ts';
import { assessFlight } from '../../models/score.ts';
import type { FlightQuery } from '../../models/types.ts';
import { aBrandStore, aStoreWithEndedOperator } from '../helpers/brand-store.ts';
import { outcomeTable } from '../helpers/store.ts';

const AMERICAN: FlightQuery = {
  ...{ origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-04-01', isBrand: true },
};

test('the flights of a brand are those of its operators, in an hour those that depart in it', (t) => {
  const store = aBrandStore();
  const shares = (query: FlightQuery) =>
    operatedFlights(query, store).map(({ query: { carrier }, share }) => [carrier, share]);

  t.deepEqual(shares(AMERICAN), [
    ['MQ', 0.75],
    ['YX', 0.25],
  ]);
  t.deepEqual(shares({ ...AMERICAN, crsDepHour: 18 }), [['YX', 1]]);
  // Without departures in the hour, the shares are those of all hours.
  t.deepEqual(shares({ ...AMERICAN, crsDepHour: 3 }), [
    ['MQ', 0.75],
    ['YX', 0.25],
  ]);
  t.deepEqual(shares({ ...AMERICAN, carrier: 'MQ' }), [['MQ', 1]]);
});

test('the score of a brand is between those of its operators, on its own record', (t) => {
  const store = aBrandStore();
  const scoreOf = (query: FlightQuery) => assessFlight(query, store, {});
  const { isBrand: _, ...operated } = AMERICAN;
  const brand = scoreOf(AMERICAN);

  t.is(brand.tier, 'exact');
  t.is(brand.stats.flightCount, 1000);
  const [envoy, republic] = ['MQ', 'YX'].map((carrier) => scoreOf({ ...operated, carrier }));
  t.true(brand.logOdds > (envoy?.logOdds ?? 0) && brand.logOdds < (republic?.logOdds ?? 0));
  t.not(scoreOf({ ...operated, carrier: 'AA' }).tier, 'exact');
});

test('in an hour, the rates of a brand are those of the operators that depart in it', (t) => {
  const store = aBrandStore();
  const brand = store.brand('JFK', 'LAX', 'AA')!;
  const [envoy, republic] = brand.operators;
  const operators = [
    { ...envoy!, stats: { ...envoy!.stats, delayedRate: 0.1, cancelledRate: 0.01 } },
    { ...republic!, stats: { ...republic!.stats, delayedRate: 0.3, cancelledRate: 0.05 } },
  ];
  const own = { ...store, brand: () => ({ ...brand, operators }) };
  t.like(statsOf({ ...AMERICAN, crsDepHour: 18 }, own), {
    ...{ flightCount: 1000, delayedRate: 0.3, cancelledRate: 0.05 },
  });
  t.is(statsOf({ ...AMERICAN, crsDepHour: 8 }, own)?.delayedRate, 0.1);
  t.is(statsOf(AMERICAN, own)?.delayedRate, 0.75 * 0.1 + 0.25 * 0.3);
});

test('the odds of long delays of a brand are those of its operators, by their share', (t) => {
  const outcomes = outcomeTable({ 'carrier MQ': { late60: 0.4 }, 'carrier YX': { late60: -0.8 } });
  const store = { ...aBrandStore(), outcomes };
  const oddsOf = (query: FlightQuery) => outcomeOddsOf(query, store).late60.logOdds;
  const { isBrand: _, ...operated } = AMERICAN;
  const without = oddsOf({ ...operated, carrier: 'AA' });
  const near = (actual: number, expected: number) => t.true(Math.abs(actual - expected) < 1e-6);
  near(oddsOf(AMERICAN) - without, 0.75 * 0.4 - 0.25 * 0.8);
  near(oddsOf({ ...AMERICAN, crsDepHour: 18 }) - without, -0.8);
});

test('an operator that no longer exists counts in the record of a brand, but not in its forecast', (t) => {
  const ended = aStoreWithEndedOperator();
  t.deepEqual(
    operatedFlights({ ...AMERICAN, crsDepHour: 18 }, ended).map(({ query, share }) => [
      query.carrier,
      share,
    ]),
    [['MQ', 1]],
  );
  t.is(departuresOf(AMERICAN, ended)?.[18], 0);
  t.is(statsOf(AMERICAN, ended)?.flightCount, 1000);
});

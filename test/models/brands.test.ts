import test from 'ava';
import { operatedFlights } from '../../models/brands.ts';
import { assessFlight } from '../../models/score.ts';
import type { FlightQuery } from '../../models/types.ts';
import { aBrandStore } from '../helpers/brand-store.ts';

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
  t.deepEqual(shares({ ...AMERICAN, crsDepHour: 18 }), [
    ['MQ', 0],
    ['YX', 1],
  ]);
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

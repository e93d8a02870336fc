import test from 'ava';
import { operatedFlights } from '../../models/brands.ts';
import { assessFlight } from '../../models/score.ts';
import type { FlightQuery } from '../../models/types.ts';
import type { BrandOperator } from '../../warehouse/store/brand-record.ts';
import type { FlightStats, ScoreStore } from '../../warehouse/store/types.ts';
import { aStore, effectTable, someStats } from '../helpers/store.ts';

const MONTHS = { first: '2025-01', last: '2026-02' };
const hoursAt = (at: number) => Float32Array.from({ length: 24 }, (_, hour) => +(hour === at));

/** American sells flights of Envoy, mostly in the morning, and of Republic, mostly late. */
function aBrandStore(): ScoreStore {
  const operator = (carrier: string, share: number, hour: number): BrandOperator<FlightStats> => ({
    ...{ carrier, share, inferredShare: 0, months: MONTHS, hours: hoursAt(hour) },
    stats: someStats({ flightCount: 1000 * share }),
  });
  const operators = [operator('MQ', 0.75, 8), operator('YX', 0.25, 18)];
  const stats = someStats();
  return {
    ...aStore({ carriers: { 'JFK-LAX': [] } }),
    effects: effectTable({ 'carrier MQ': -0.5, 'carrier YX': 1 }),
    brand: (_origin, _dest, code) =>
      code === 'AA' ? { operators, stats, months: MONTHS, hours: hoursAt(8) } : undefined,
  };
}

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

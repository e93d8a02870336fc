import type { BrandOperator } from '../../warehouse/store/brand-record.ts';
import type { FlightStats, ScoreStore } from '../../warehouse/store/types.ts';
import { aStore, effectTable, someStats } from './store.ts';

const MONTHS = { first: '2025-01', last: '2026-02' };
const hoursAt = (at: number) => Float32Array.from({ length: 24 }, (_, hour) => +(hour === at));

/** As in `aBrandStore`, but Republic no longer exists: its flights ended in 2020, and Delta still flies the route. */
export function aStoreWithEndedOperator(): ScoreStore {
  return {
    ...aBrandStore(),
    airlineRoutes: () => ['DL', 'YX'].map((carrier) => ({ origin: 'JFK', dest: 'LAX', carrier })),
    recordMonths: (_origin, _dest, carrier) => ({
      first: '2018-01',
      last: carrier === 'YX' ? '2020-01' : '2026-02',
    }),
  };
}

/**
 * American sells the flights of two operators: Envoy departs at 8:00. Republic departs at 18:00 and is late more often.
 */
export function aBrandStore(): ScoreStore {
  const operator = (carrier: string, share: number, hour: number): BrandOperator<FlightStats> => ({
    ...{ carrier, share, inferredShare: 0, months: MONTHS, hours: hoursAt(hour) },
    stats: someStats({ flightCount: 1000 * share }),
  });
  const operators = [operator('MQ', 0.75, 8), operator('YX', 0.25, 18)];
  const stats = someStats();
  return {
    ...aStore({
      carriers: {
        'JFK-LAX': operators.map(({ carrier, stats: own }) => ({ carrier, ...own })),
      },
    }),
    effects: effectTable({ 'carrier MQ': -0.5, 'carrier YX': 1 }),
    brand: (_origin, _dest, code) =>
      code === 'AA'
        ? { operators, inferredShare: 0, stats, months: MONTHS, hours: hoursAt(8) }
        : undefined,
    brandsOnRoute: () => ['AA'],
    brandRoutes: () => [{ origin: 'JFK', dest: 'LAX', carrier: 'AA' }],
  };
}

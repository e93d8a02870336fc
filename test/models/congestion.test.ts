import test from 'ava';
import fc from 'fast-check';
import { departureCongestion } from '../../models/congestion.ts';
import { assessFlight } from '../../models/score.ts';
import { aStore } from '../helpers/store.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-22' };
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const perHour = (values: Record<number, number>) =>
  Float32Array.from(HOURS, (hour) => values[hour] ?? 0);

/** Quiet at 6, busy at 17; DL departs three times as often at 6, all airlines together as often at both. */
function storeWithHours() {
  return {
    ...aStore(),
    congestionByHour: () => perHour({ 6: 0.25, 17: 0.75 }),
    departureHours: (_origin: string, _dest: string, carrier?: string) =>
      carrier === 'DL' ? perHour({ 6: 30, 17: 10 }) : undefined,
  };
}

test('a departure meets the congestion of its hour', (t) => {
  const at = (depHour: number) =>
    departureCongestion({ ...QUERY, depHour }, storeWithHours(), 12, 2);
  t.deepEqual([at(6), at(17), at(3)], [0.25, 0.75, 0]);
});

test('without an hour a departure meets the mean over the hours its airline departs in', (t) => {
  t.is(departureCongestion(QUERY, storeWithHours(), 12, 2), 0.375);
});

test('an airline new to the route departs when the others do', (t) => {
  const store = {
    ...storeWithHours(),
    departureHours: (_origin: string, _dest: string, carrier?: string) =>
      carrier === undefined ? perHour({ 6: 1, 17: 1 }) : undefined,
  };
  t.is(departureCongestion(QUERY, store, 12, 2), 0.5);
});

test('where no hours are known a departure meets the mean of the day', (t) => {
  for (const hours of [undefined, perHour({})]) {
    const store = { ...storeWithHours(), departureHours: () => hours, congestion: () => 0.4 };
    t.is(departureCongestion(QUERY, store, 12, 2), 0.4);
  }
});

test('the hourly scores, each weighing its flights, average to the score without an hour', (t) => {
  const hourly = (max: number) =>
    fc.array(fc.float({ min: 0, max, noNaN: true }), { minLength: 24, maxLength: 24 });
  fc.assert(
    fc.property(hourly(1), hourly(1000), (congestion, flights) => {
      const total = flights.reduce((sum, count) => sum + count, 0);
      fc.pre(total > 0);
      const store = {
        ...aStore(),
        congestionByHour: () => Float32Array.from(congestion),
        departureHours: () => Float32Array.from(flights),
      };
      // Before rounding: without a model the contributions add up to the score.
      const exactScore = (depHour?: number) =>
        assessFlight(
          { ...QUERY, ...(depHour !== undefined && { depHour }) },
          store,
          {},
        ).components.reduce((sum, { contribution }) => sum + contribution, 0);
      const mean =
        HOURS.reduce((sum, hour) => sum + (flights[hour] ?? 0) * exactScore(hour), 0) / total;
      t.true(Math.abs(mean - exactScore()) < 1e-6);
    }),
  );
});

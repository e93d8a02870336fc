import test from 'ava';
import fc from 'fast-check';
import { randomFrom } from '../../bench/generate/random.ts';
import { arrivalDelays, delayAt, departureDelays } from '../../models/connection-delays.ts';
import { DELAY_MINUTES, type DelayCurve } from '../../models/delay-curve.ts';
import { normalQuantile } from '../../models/normal.ts';
import { CORRELATIONS, forecastTrip, type TripLeg } from '../../models/trip.ts';
import { sum } from '../../warehouse/ground/numbers.ts';

const CURVE: DelayCurve = {
  late: [0.25, 0.15, 0.1, 0.07, 0.04, 0.02, 0.01, 0.002],
  cancelled: 0.02,
  diverted: 0.005,
};
const PUNCTUAL: DelayCurve = { late: DELAY_MINUTES.map(() => 0), cancelled: 0, diverted: 0 };

const leg = (curve = CURVE, laterFlights: number[] = []): TripLeg => ({ curve, laterFlights });

/** Probability of missing a connection with this many minutes to spare. */
const missedWith = (spareMin: number, correlations = CORRELATIONS) =>
  forecastTrip([leg(), leg()], [{ plannedMin: 45 + spareMin, neededMin: 45 }], correlations)
    .missed[0] as number;

test('forecasts agree with many random trips', (t) => {
  const random = randomFrom('trips');
  const [arrivals, departures] = [arrivalDelays(CURVE), departureDelays(CURVE)];
  const score = () => normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, random.next())));
  const { sameAirport } = CORRELATIONS;
  const trips = 200_000;
  for (const spareMin of [0, 30, 90]) {
    let missed = 0;
    for (let trip = 0; trip < trips; trip++) {
      const before = score();
      const after = sameAirport * before + Math.sqrt(1 - sameAirport ** 2) * score();
      const delay = delayAt(arrivals, before);
      if (delay !== Infinity && delay - spareMin > delayAt(departures, after)) missed++;
    }
    t.true(Math.abs(missedWith(spareMin) - missed / trips) < 0.005, `${spareMin}`);
  }
});

test('a shorter connection is missed more often, and a common bad day saves some connections', (t) => {
  const spare = [-60, -20, 0, 20, 60, 120, 240];
  const missed = spare.map((minutes) => missedWith(minutes));
  t.deepEqual(
    missed,
    missed.toSorted((a, b) => b - a),
  );
  t.true((missed[0] as number) > 0.8);
  t.true((missed.at(-1) as number) < 0.01);
  t.true(missedWith(20, { ...CORRELATIONS, sameAirport: 0.5 }) < missedWith(20) - 0.01);
});

test('without delays, a connection is made with the needed minutes, and missed with fewer', (t) => {
  const forecast = (plannedMin: number) =>
    forecastTrip([leg(PUNCTUAL), leg(PUNCTUAL)], [{ plannedMin, neededMin: 90 }]);
  t.like(forecast(105), {
    lost: [0, 0],
    missed: [0],
    notArriving: 0,
    late: DELAY_MINUTES.map(() => 0),
  });
  t.is(forecast(0).missed[0], 1);
  t.is(forecast(0).notArriving, 1);
});

test('after a missed connection, the traveller takes a later flight and arrives later by the interval between the flights', (t) => {
  const trip = (laterFlights: number[]) =>
    forecastTrip([leg(PUNCTUAL), leg(PUNCTUAL, laterFlights)], [{ plannedMin: 0, neededMin: 90 }]);
  const { late, notArriving, missed } = trip([20, 120, 300]);
  t.is(missed[0], 1);
  t.is(notArriving, 0);
  // The flight 120 minutes later is the first that can be reached. Flights arrive between 60 minutes early and 15
  // minutes late.
  const over = (minutes: number) => late[DELAY_MINUTES.findIndex((one) => one === minutes)];
  t.is(over(45), 1);
  t.is(over(180), 0);
  t.is(trip([20]).notArriving, 1);
});

test('a trip ends at most once, and every forecast is a probability', (t) => {
  const probability = fc.double({ min: 0, max: 1, noNaN: true });
  const curve = fc
    .tuple(fc.array(probability, { minLength: 8, maxLength: 8 }), probability, probability)
    .map(([late, cancelled, diverted]): DelayCurve => {
      const [first = 1] = late;
      const all = first + cancelled + diverted + 1e-9;
      const scale = all > 1 ? 1 / all : 1;
      return {
        late: late.toSorted((a, b) => b - a).map((one) => Math.min(one, first) * scale),
        cancelled: cancelled * scale,
        diverted: diverted * scale,
      };
    });
  const minutes = fc.integer({ min: 0, max: 1_440 });
  const trip = fc.array(
    fc.record({
      curve,
      laterFlights: fc.array(minutes).map((list) => list.toSorted((a, b) => a - b)),
    }),
    { minLength: 2, maxLength: 4 },
  );
  fc.assert(
    fc.property(trip, minutes, minutes, (legs, plannedMin, neededMin) => {
      const changes = legs.slice(1).map(() => ({ plannedMin, neededMin }));
      const forecast = forecastTrip(legs, changes);
      t.deepEqual(forecast, forecastTrip(legs, changes));
      const ended = sum([...forecast.lost, ...forecast.missed]);
      t.true(ended <= 1 + 1e-9 && forecast.notArriving <= ended + 1e-9);
      const arriving = 1 - forecast.notArriving;
      for (const [at, late] of forecast.late.entries()) {
        t.true(late >= 0 && late <= Math.min(arriving, forecast.late[at - 1] ?? 1) + 1e-9);
      }
    }),
    { numRuns: 60 },
  );
});

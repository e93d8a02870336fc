import test from 'ava';
import { arrivalDelays, delayAt, departureDelays } from '../../models/connection-delays.ts';
import { DELAY_MINUTES, type DelayCurve } from '../../models/delay-curve.ts';
import { normalQuantile, normalTail } from '../../models/normal.ts';

const CURVE: DelayCurve = {
  late: [0.25, 0.15, 0.1, 0.07, 0.04, 0.02, 0.01, 0.002],
  cancelled: 0.02,
  diverted: 0.005,
};

/** Returns the delay that this share of all flights exceeds. Flights that do not arrive count, too. */
const delayExceededBy = (table: ReturnType<typeof arrivalDelays>, share: number) =>
  delayAt(table, normalQuantile(1 - share));

/** Returns the share of flights that arrive more than `minutes` late. */
function shareLaterThan(table: ReturnType<typeof arrivalDelays>, minutes: number): number {
  let score = -4;
  while (delayAt(table, score) <= minutes) score += 0.0005;
  return normalTail(score) - normalTail(Math.min(4, table.lostFrom));
}

test('delays of 15 minutes and more have the probabilities of the curve', (t) => {
  const table = arrivalDelays(CURVE);
  for (const [at, minutes] of DELAY_MINUTES.entries()) {
    const share = shareLaterThan(table, minutes);
    t.true(Math.abs(share - (CURVE.late[at] as number)) < 0.001, `${minutes}: ${share}`);
  }
});

test('cancelled and diverted flights do not arrive', (t) => {
  const table = arrivalDelays(CURVE);
  t.is(delayExceededBy(table, 0.0249), Infinity);
  t.true(delayExceededBy(table, 0.026) < 1_440);
  t.true(delayAt(arrivalDelays({ ...CURVE, cancelled: 0, diverted: 0 }), 5) <= 1_440);
});

test('most flights without a delay arrive early', (t) => {
  const median = delayExceededBy(arrivalDelays(CURVE), 0.5);
  t.true(median < 0 && median > -20, `${median}`);
});

test('departures are never early, and later on days with more late arrivals', (t) => {
  const table = departureDelays(CURVE);
  t.is(delayExceededBy(table, 0.9), 0);
  const worse = { ...CURVE, late: CURVE.late.map((share) => 2 * share) };
  t.true(delayExceededBy(departureDelays(worse), 0.2) > delayExceededBy(table, 0.2) + 5);
});

test('delays never fall with the score, even for extreme curves', (t) => {
  const curves: DelayCurve[] = [
    CURVE,
    { late: DELAY_MINUTES.map(() => 0), cancelled: 0, diverted: 0 },
    { late: DELAY_MINUTES.map(() => 0), cancelled: 1, diverted: 0 },
    { late: DELAY_MINUTES.map(() => 1), cancelled: 0, diverted: 0 },
    { late: DELAY_MINUTES.map(() => 0.5), cancelled: 0.5, diverted: 0 },
  ];
  for (const curve of curves) {
    for (const table of [arrivalDelays(curve), departureDelays(curve)]) {
      let before = -Infinity;
      for (let score = -6; score <= 6; score += 0.05) {
        const delay = delayAt(table, score);
        t.true(delay >= before, `${score}: ${delay} after ${before}`);
        before = delay;
      }
    }
  }
});

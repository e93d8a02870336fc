import test from 'ava';
import { randomFrom } from '../../../../bench/generate/random.ts';
import {
  fitAge,
  meanCovariance,
  monthPairs,
  remainingShare,
  squaredMiss,
  type RouteMonth,
} from '../../../../jobs/cli/fit/record-age.ts';
import { expit } from '../../../../warehouse/ground/log-odds.ts';

/** Simulates airline-routes. After `halfLife` months, half of a true deviation is left. */
function drifting(halfLife: number, months: readonly number[]): RouteMonth[] {
  const { normal } = randomFrom('drift');
  const airports = Array.from({ length: 12 }, (_, at) => `A${at}`);
  const rows: RouteMonth[] = [];
  for (const origin of airports) {
    for (const dest of airports) {
      for (const carrier of ['X', 'Y', 'Z']) {
        let [deviation, last] = [0.3 * normal(), months[0] ?? 0];
        for (const month of months) {
          const kept = 2 ** (-(month - last) / halfLife);
          deviation = kept * deviation + Math.sqrt(1 - kept ** 2) * 0.3 * normal();
          last = month;
          const rate = expit(-1.5 + deviation);
          const noise = Math.sqrt(600 * rate * (1 - rate)) * normal();
          const delayed = Math.max(0, Math.min(600, Math.round(600 * rate + noise)));
          rows.push({ month, carrier, origin, dest, completed: 600, delayed });
        }
      }
    }
  }
  return rows;
}

test('the share of the deviations that lasts is found from pairs of months', (t) => {
  const months = [1, 3, 5, 40, 42, 80, 82];
  const pairs = monthPairs(drifting(40, months));
  t.is(pairs.length, 21);
  const { covariance, halfLifeMonths } = fitAge(pairs);
  t.true(covariance > 0.04 && covariance < 0.1, `${covariance}`);
  t.true(halfLifeMonths > 15 && halfLifeMonths < 45, `${halfLifeMonths}`);
  const old = pairs.filter(({ gap }) => gap > 12);
  const missWith = (months: number) =>
    squaredMiss(old, ({ gap }) => covariance * remainingShare(gap, months));
  t.true(missWith(halfLifeMonths) < missWith(Infinity) / 4);
});

test('deviations that do not change keep their covariance, and have the longest half-life', (t) => {
  const pairs = monthPairs(drifting(1e9, [1, 3, 60]));
  const { covariance, halfLifeMonths } = fitAge(pairs);
  t.true(Math.abs(meanCovariance(pairs.filter(({ gap }) => gap > 12)) / covariance - 1) < 0.15);
  t.true(halfLifeMonths > 200);
});

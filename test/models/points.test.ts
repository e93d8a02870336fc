import test from 'ava';
import fc from 'fast-check';
import { expit, logit } from '../../warehouse/ground/log-odds.ts';
import { lineOf, pointLine, scorePoints } from '../../models/points.ts';

test('a line starts at its rate and gains its points with each doubling of the odds', (t) => {
  const { zero, slope } = lineOf({ zeroRate: 0.02, pointsPerDoubling: 15 });
  const points = (rate: number) => slope * (logit(rate) - zero);
  t.is(points(0.02), 0);
  // The rates have odds of 1 to 49, 2 to 49 and 4 to 49.
  t.true(Math.abs(points(2 / 51) - 15) < 1e-9);
  t.true(Math.abs(points(4 / 53) - 30) < 1e-9);
});

/**
 * A model whose forecast agrees with the log-odds of being late or cancelled. Of the flights that are late or
 * cancelled, 95 % are late.
 */
const modelPartAt = (logOdds: number, confidence: number) => ({
  mlProbability: expit(logOdds) * 0.95,
  confidence,
});

test('a score has about its target rate, with and without the model', (t) => {
  const targets = { 30: 0.08, 55: 0.17, 75: 0.33 };
  for (const [score, rate] of Object.entries(targets)) {
    const logOdds = logit(rate);
    t.true(
      Math.abs(scorePoints(logOdds, modelPartAt(logOdds, 1)).score - Number(score)) < 6,
      score,
    );
    t.true(Math.abs(scorePoints(logOdds, undefined).score - Number(score)) < 6, score);
  }
});

test('equal odds get nearly equal scores at every confidence, with and without a model', (t) => {
  for (const rate of [0.04, 0.08, 0.12, 0.17, 0.25, 0.3]) {
    const logOdds = logit(rate);
    const statisticsOnly = scorePoints(logOdds, undefined).score;
    for (const confidence of [0, 0.1, 0.3, 0.5, 1]) {
      const { score } = scorePoints(logOdds, modelPartAt(logOdds, confidence));
      t.true(
        Math.abs(score - statisticsOnly) < 3,
        `${rate} at ${confidence}: ${score}, expected ${statisticsOnly}`,
      );
    }
  }
});

test('at zero confidence the model has no weight, and the line is the line without a model', (t) => {
  const withoutConfidence = pointLine({ mlProbability: 0.9, confidence: 0 });
  t.is(withoutConfidence.slope, pointLine(undefined).slope);
  t.true(Math.abs(withoutConfidence.zero - pointLine(undefined).zero) < 1e-9);
  t.notDeepEqual(pointLine({ mlProbability: 0.9, confidence: 0.5 }), pointLine(undefined));
  t.deepEqual(
    pointLine({ mlProbability: 0.1, confidence: 0.5 }),
    pointLine({ mlProbability: 0.9, confidence: 1 }),
  );
});

test('the statistical score is limited to 0–100 before blending', (t) => {
  const logOdds = fc.double({ min: -15, max: 15, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(logOdds, share, share, (odds, mlProbability, confidence) => {
      const { linear, score, statistical } = scorePoints(odds, { mlProbability, confidence });
      t.true(linear >= 0 && linear <= 100);
      t.is(statistical, 0.7 * linear);
      const ml = 30 * mlProbability * Math.min(1, 2 * confidence);
      t.true(Math.abs(score - statistical - ml) < 1e-9);
    }),
  );
  t.is(scorePoints(9, { mlProbability: 0.5, confidence: 0 }).score, 70);
  t.is(scorePoints(-9, { mlProbability: 0.5, confidence: 1 }).score, 15);
});

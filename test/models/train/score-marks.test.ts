import test from 'ava';
import marksFile from '../../../models/score-marks.json' with { type: 'json' };
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { fitMarks, TARGETS, missesOf, type MarkCase } from '../../../models/train/score-marks.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';

/** Flights of all odds. `truth` converts a flight's statistical log-odds to its true log-odds. */
function aFold(truth: (logOdds: number) => number): MarkCase[] {
  return Array.from({ length: 400 }, (_, at) => {
    const logOdds = -4.5 + at / 80;
    const flights = 1_000;
    return {
      logOdds,
      mlProbability: 0.95 * expit(logOdds),
      flights,
      disrupted: flights * expit(truth(logOdds)),
    };
  });
}

test('with correct statistics the marks give the target rates', (t) => {
  const fold = aFold((logOdds) => logOdds);
  const { withModel } = fitMarks([fold]);
  for (const miss of missesOf([fold], withModel)) t.true(Math.abs(miss) < 0.2, String(miss));
});

test('where more flights are late than the statistics expect, a score corresponds to lower odds', (t) => {
  const calm = fitMarks([aFold((logOdds) => logOdds)]).withModel;
  const stormy = fitMarks([aFold((logOdds) => logOdds + 0.4)]).withModel;
  t.true(stormy.zeroRate < calm.zeroRate);
  const fittedToBoth = fitMarks([
    aFold((logOdds) => logOdds - 0.4),
    aFold((logOdds) => logOdds + 0.4),
  ]);
  t.true(Math.abs(Math.log(fittedToBoth.withModel.zeroRate / calm.zeroRate)) < 0.1);
});

test('where the statistics are overconfident, a doubling of the odds gives fewer points', (t) => {
  const fair = fitMarks([aFold((logOdds) => logOdds)]).withModel;
  const steepMark = fitMarks([aFold((logOdds) => 0.7 * (logOdds + 2) - 2)]).withModel;
  t.true(steepMark.pointsPerDoubling < 0.85 * fair.pointsPerDoubling);
});

test('the shipped marks match their seal', (t) => {
  const { marks, provenance, seal } = marksFile;
  t.is(sha256(JSON.stringify({ marks, provenance })), seal);
  t.is(TARGETS.length, 3);
});

import test from 'ava';
import marksFile from '../../../models/score-marks.json' with { type: 'json' };
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { fitMarks, MEANT, missesOf, type MarkCase } from '../../../models/train/score-marks.ts';
import { sha256 } from '../../../warehouse/ground/sha256.ts';

/** Flights of all odds, as many late or cancelled as `truth` says of the log-odds they are scored by. */
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

test('the marks give the scores that are meant, where statistics say what comes', (t) => {
  const fold = aFold((logOdds) => logOdds);
  const { withModel } = fitMarks([fold]);
  for (const miss of missesOf([fold], withModel)) t.true(Math.abs(miss) < 0.2, String(miss));
});

test('where more comes than the statistics say, the same score goes to lower odds', (t) => {
  const calm = fitMarks([aFold((logOdds) => logOdds)]).withModel;
  const stormy = fitMarks([aFold((logOdds) => logOdds + 0.4)]).withModel;
  t.true(stormy.zeroRate < calm.zeroRate);
  const both = fitMarks([aFold((logOdds) => logOdds - 0.4), aFold((logOdds) => logOdds + 0.4)]);
  t.true(Math.abs(Math.log(both.withModel.zeroRate / calm.zeroRate)) < 0.1);
});

test('where statistics tell flights apart too boldly, a doubling of their odds is worth fewer points', (t) => {
  const fair = fitMarks([aFold((logOdds) => logOdds)]).withModel;
  const bold = fitMarks([aFold((logOdds) => 0.7 * (logOdds + 2) - 2)]).withModel;
  t.true(bold.pointsPerDoubling < 0.85 * fair.pointsPerDoubling);
});

test('the marks that ship are those that were sealed', (t) => {
  const { marks, provenance, seal } = marksFile;
  t.is(sha256(JSON.stringify({ marks, provenance })), seal);
  t.is(MEANT.length, 3);
});

import test from 'ava';
import type { Figures } from '../../../models/evaluate/metrics.ts';
import { judge } from '../../../pipelines/model/gate.ts';

function figures(changes: Partial<Figures>): Figures {
  const none = { forecast: 0.1, observed: 0.1, auc: 0.6, logLoss: 0.3, ece: 0, eceAtOwnLevel: 0 };
  return { n: 12_000, brier: 0.09, skill: 0.02, ...none, ...changes };
}

const MONTHS = ['2018-11', '2018-12'];

test('a first model with skill is released', (t) => {
  t.deepEqual(judge({ months: MONTHS, candidate: figures({}) }), {
    isReleased: true,
    why: 'released: on 12,000 flights of 2018-11 to 2018-12 it has skill +0.0200, and none was released before',
  });
});

test('a model no better than the rate of before is not released', (t) => {
  const verdict = judge({ months: MONTHS, candidate: figures({ skill: 0 }) });
  t.false(verdict.isReleased);
  t.regex(verdict.why, /no better than always saying the rate of the months before/);
});

test('a model must beat the released one, not equal it', (t) => {
  const trial = { months: MONTHS, candidate: figures({ brier: 0.09 }) };
  t.true(judge({ ...trial, previous: figures({ brier: 0.0901 }) }).isReleased);
  const equal = judge({ ...trial, previous: figures({ brier: 0.09 }) });
  t.false(equal.isReleased);
  t.regex(equal.why, /0\.09000 does not beat the released model's 0\.09000/);
});

test('forecasts that could not be measured release nothing', (t) => {
  const skill = Number.NaN;
  t.deepEqual(judge({ months: MONTHS, candidate: figures({ n: 0, skill }) }), {
    isReleased: false,
    why: 'not released: no completed flight of 2018-11 to 2018-12 is on a route known before',
  });
  t.false(judge({ months: MONTHS, candidate: figures({ skill }) }).isReleased);
});

import test from 'ava';
import type { Figures } from '../../../models/evaluate/metrics.ts';
import { judge, judgeCoverage, refuseTooFew } from '../../../pipelines/model/release-verdict.ts';
import type { HeldOutMonths, Trial } from '../../../pipelines/model/trial.ts';

function figures(changes: Partial<Figures>): Figures {
  const otherFigures = {
    forecast: 0.1,
    observed: 0.1,
    auc: 0.6,
    logLoss: 0.3,
    ece: 0,
    eceAtOwnLevel: 0,
  };
  return { n: 25_000, brier: 0.09, skill: 0.02, ...otherFigures, ...changes };
}

const MONTHS = ['2018-11', '2018-12'];
const GAIN = { gain: 0.0001, error: 0.00002, blocks: 61 };

/** A candidate that beats the released model by more than the noise. */
function aTrial(changes: Partial<Trial> = {}): Trial {
  return {
    months: MONTHS,
    candidate: figures({}),
    previous: { ...figures({ brier: 0.0901 }), version: 'abc123' },
    gain: GAIN,
    ...changes,
  };
}

test('a first model with skill is released', (t) => {
  t.deepEqual(judge({ months: MONTHS, candidate: figures({}) }), {
    isReleased: true,
    why: 'released: on 25,000 flights of 2018-11 to 2018-12 it has skill +0.0200, and no model was released before',
  });
});

test('a model no better than the earlier rate is not released', (t) => {
  const verdict = judge(aTrial({ candidate: figures({ skill: 0 }) }));
  t.false(verdict.isReleased);
  t.regex(verdict.why, /no better than always forecasting the earlier delay rate/);
});

test('a model whose gain exceeds the noise is released', (t) => {
  t.deepEqual(judge(aTrial()), {
    isReleased: true,
    why: "released: on 25,000 flights of 2018-11 to 2018-12 its Brier score is 0.09000, the released model's 0.09010: a gain of 0.00010, more than the noise (4 standard errors over 61 blocks are 0.00008)",
  });
});

test('a model whose gain is within the noise, or negative, is not released', (t) => {
  const verdict = judge(aTrial({ gain: { ...GAIN, error: 0.000025 } }));
  t.false(verdict.isReleased);
  t.regex(
    verdict.why,
    /^not released: .*: a gain of 0\.00010, not more than the noise \(4 standard errors over 61 blocks are 0\.00010\)$/,
  );
  const loss = judge(aTrial({ gain: { ...GAIN, gain: -0.0001 } }));
  t.false(loss.isReleased);
  t.regex(loss.why, /: no gain$/);
});

test('a refusal names the months the released model was trained on', (t) => {
  const { why } = judge(aTrial({ gain: { ...GAIN, gain: 0 }, seen: ['2018-12'] }));
  t.true(why.endsWith('; the released model was trained on 2018-12, which favours it'), why);
});

test('a model tested on fewer than 20,000 flights is never released, however large the gain', (t) => {
  const verdict = judge(aTrial({ candidate: figures({ n: 19_999 }) }));
  t.deepEqual(verdict, {
    isReleased: false,
    why: 'not released: too few flights to test the model: 2018-11 to 2018-12 have 19,999 completed flights on routes with earlier history, and the test needs 20,000: load more months',
  });
  t.false(judge(aTrial({ candidate: figures({ n: 0, skill: Number.NaN }) })).isReleased);
});

test('a lake with too few flights or days for a rehearsal is refused with the numbers', (t) => {
  const heldOut: HeldOutMonths = { months: MONTHS, outcomes: [], flights: 8_412, blocks: 61 };
  t.deepEqual(refuseTooFew(heldOut), {
    isReleased: false,
    why: 'not released: too few flights to test the model: 2018-11 to 2018-12 (all months except the two oldest) have 8,412 completed flights, and the test needs 20,000: load more months',
  });
  t.regex(
    refuseTooFew({ ...heldOut, flights: 50_000, blocks: 4 })?.why ?? '',
    /^not released: too few days .* have flights on 4 days, and the test needs 20 days/,
  );
  t.is(refuseTooFew({ ...heldOut, flights: 20_000, blocks: 20 }), undefined);
});

const BASE = { months: [], rows: 370_000, dataSha256: '' };
const COUNTRY = {
  ...BASE,
  coverage: {
    first: '2018-01',
    last: '2018-12',
    flights: 6_400_000,
    airports: 358,
    carriers: 18,
    routes: 6_000,
  },
};
const REGION = {
  ...BASE,
  rows: 60_000,
  coverage: { ...COUNTRY.coverage, flights: 295_000, airports: 112, carriers: 12, routes: 220 },
};
const WINNER = { isReleased: true, why: 'released: on 25,000 flights it won' };

test('a regional model does not replace a national one, and the refusal names the command to release it', (t) => {
  t.deepEqual(judgeCoverage(WINNER, REGION, COUNTRY, false), {
    isReleased: false,
    why: 'not released: regional: it was trained on 112 airports (released model: 358), 295,000 flights (released model: 6,400,000), so it may be worse elsewhere. It passed its test: on 25,000 flights it won. To release it anyway: make train ACCEPT=regional',
  });
});

test('a model accepted as regional is released, and the verdict states it', (t) => {
  const verdict = judgeCoverage(WINNER, REGION, COUNTRY, true);
  t.true(verdict.isReleased);
  t.regex(verdict.why, /^released: on 25,000 flights it won; regional, as accepted: /);
});

test('acceptance of regional models does not release a model that lost', (t) => {
  const loser = { isReleased: false, why: 'not released: none' };
  t.deepEqual(judgeCoverage(loser, REGION, COUNTRY, true), loser);
});

test('a model of the same region replaces the released one, and so does one of a newer year of the country', (t) => {
  t.deepEqual(judgeCoverage(WINNER, REGION, REGION, false), WINNER);
  const newer = { ...COUNTRY.coverage, flights: 5_000_000, airports: 340, carriers: 15 };
  t.deepEqual(judgeCoverage(WINNER, { ...COUNTRY, coverage: newer }, COUNTRY, false), WINNER);
  t.deepEqual(judgeCoverage(WINNER, COUNTRY, REGION, false), WINNER);
  t.deepEqual(judgeCoverage(WINNER, REGION, undefined, false), WINNER);
});

test('a model of one airline is regional', (t) => {
  const coverage = { ...COUNTRY.coverage, carriers: 1 };
  t.regex(
    judgeCoverage(WINNER, { ...COUNTRY, coverage }, COUNTRY, false).why,
    /1 airlines \(released model: 18\)/,
  );
});

test('rows are compared when the released model has no coverage', (t) => {
  t.regex(
    judgeCoverage(WINNER, REGION, BASE, false).why,
    /60,000 airline-routes by hour and month \(released model: 370,000\)/,
  );
  t.deepEqual(judgeCoverage(WINNER, COUNTRY, BASE, false), WINNER);
});

import test from 'ava';
import type { Figures } from '../../../models/evaluate/metrics.ts';
import { judge, judgeBreadth, tooFewToTell } from '../../../pipelines/model/release-verdict.ts';
import type { Held, Trial } from '../../../pipelines/model/trial.ts';

function figures(changes: Partial<Figures>): Figures {
  const none = { forecast: 0.1, observed: 0.1, auc: 0.6, logLoss: 0.3, ece: 0, eceAtOwnLevel: 0 };
  return { n: 25_000, brier: 0.09, skill: 0.02, ...none, ...changes };
}

const MONTHS = ['2018-11', '2018-12'];
const GAIN = { gain: 0.0001, error: 0.00002, blocks: 61 };

/** A candidate that is better than the released model by more than the noise. */
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
    why: 'released: on 25,000 flights of 2018-11 to 2018-12 it has skill +0.0200, and none was released before',
  });
});

test('a model no better than the rate of before is not released', (t) => {
  const verdict = judge(aTrial({ candidate: figures({ skill: 0 }) }));
  t.false(verdict.isReleased);
  t.regex(verdict.why, /no better than always saying the rate of the months before/);
});

test('a gain beyond the noise releases', (t) => {
  t.deepEqual(judge(aTrial()), {
    isReleased: true,
    why: "released: on 25,000 flights of 2018-11 to 2018-12 its Brier score is 0.09000, the released model's 0.09010: a gain of 0.00010, more than the noise (4 standard errors over 61 blocks are 0.00008)",
  });
});

test('a gain within the noise does not, nor does a loss', (t) => {
  const within = judge(aTrial({ gain: { ...GAIN, error: 0.000025 } }));
  t.false(within.isReleased);
  t.regex(
    within.why,
    /^not released: .*: a gain of 0\.00010, not more than the noise \(4 standard errors over 61 blocks are 0\.00010\)$/,
  );
  const loss = judge(aTrial({ gain: { ...GAIN, gain: -0.0001 } }));
  t.false(loss.isReleased);
  t.regex(loss.why, /: no gain$/);
});

test('a refusal says which months the released model had seen', (t) => {
  const { why } = judge(aTrial({ gain: { ...GAIN, gain: 0 }, seen: ['2018-12'] }));
  t.true(why.endsWith('; the released model has seen 2018-12, which favours it'), why);
});

test('fewer than 20,000 flights decide nothing, however great the gain', (t) => {
  const verdict = judge(aTrial({ candidate: figures({ n: 19_999 }) }));
  t.deepEqual(verdict, {
    isReleased: false,
    why: 'not released: of 2018-11 to 2018-12 19,999 completed flights are on routes known before, and it takes 20,000 to tell a better model from luck: load more months',
  });
  t.false(judge(aTrial({ candidate: figures({ n: 0, skill: Number.NaN }) })).isReleased);
});

test('a lake with too few flights or days to hold back says what is missing', (t) => {
  const held: Held = { months: MONTHS, outcomes: [], flights: 8_412, blocks: 61 };
  t.deepEqual(tooFewToTell(held), {
    isReleased: false,
    why: 'not released: 2018-11 to 2018-12 have 8,412 completed flights in all months but the two oldest, 11,588 less than the 20,000 it takes to tell a better model from luck: load more months',
  });
  t.regex(
    tooFewToTell({ ...held, flights: 50_000, blocks: 4 })?.why ?? '',
    /flights of 4 days in all months but the two oldest, 16 less than the 20 it takes/,
  );
  t.is(tooFewToTell({ ...held, flights: 20_000, blocks: 20 }), undefined);
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
const WON = { isReleased: true, why: 'released: on 25,000 flights it won' };

test('a model of a region does not displace one of the country, and the refusal says how to do it', (t) => {
  t.deepEqual(judgeBreadth(WON, REGION, COUNTRY, false), {
    isReleased: false,
    why: 'not released: regional: it learned from 112 airports, not 358, from 295,000 flights, not 6,400,000 like the released model, so it may be worse elsewhere, although on 25,000 flights it won. make train ACCEPT=regional releases it all the same',
  });
});

test('accepted as regional it is released, and says so', (t) => {
  const verdict = judgeBreadth(WON, REGION, COUNTRY, true);
  t.true(verdict.isReleased);
  t.regex(verdict.why, /^released: on 25,000 flights it won; regional, as accepted: /);
});

test('acceptance makes no model released that did not win', (t) => {
  const lost = { isReleased: false, why: 'not released: none' };
  t.deepEqual(judgeBreadth(lost, REGION, COUNTRY, true), lost);
});

test('a model of the same region displaces one, as does one of a newer year of the country', (t) => {
  t.deepEqual(judgeBreadth(WON, REGION, REGION, false), WON);
  const newer = { ...COUNTRY.coverage, flights: 5_000_000, airports: 340, carriers: 15 };
  t.deepEqual(judgeBreadth(WON, { ...COUNTRY, coverage: newer }, COUNTRY, false), WON);
  t.deepEqual(judgeBreadth(WON, COUNTRY, REGION, false), WON);
  t.deepEqual(judgeBreadth(WON, REGION, undefined, false), WON);
});

test('one airline is no country', (t) => {
  const coverage = { ...COUNTRY.coverage, carriers: 1 };
  t.regex(judgeBreadth(WON, { ...COUNTRY, coverage }, COUNTRY, false).why, /1 airlines, not 18/);
});

test('of a released model that does not say what it learned from, rows are compared', (t) => {
  t.regex(
    judgeBreadth(WON, REGION, BASE, false).why,
    /60,000 airline-routes by hour and month, not 370,000/,
  );
  t.deepEqual(judgeBreadth(WON, COUNTRY, BASE, false), WON);
});

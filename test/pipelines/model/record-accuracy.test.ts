import test from 'ava';
import { recordAccuracy } from '../../../models/record-accuracy.ts';
import type { ProviderFigures, ProviderTrial } from '../../../pipelines/model/provider-trial.ts';
import { judgeTrial, measureRecord } from '../../../pipelines/model/record-accuracy.ts';
import { aScoredOutcome } from '../../helpers/scored-outcomes.ts';
import { aStore } from '../../helpers/store.ts';

/** Figures of 20,000 flights on 20 days that are better than both simple forecasts. */
function someFigures(changes: Partial<ProviderFigures> = {}, logLoss = -0.01, clusters = 20) {
  const equal = { ours: 0.3, theirs: 0.3, difference: 0, noise: 0.001 };
  const figures: ProviderFigures = {
    ...{ n: 20_000, forecast: 0.1, observed: 0.12, auc: 0.65, logLoss: 0.3, brier: 0.1 },
    ...{ skill: 0.01, ece: 0.02, eceAtOwnLevel: 0.01 },
    paired: {
      ...{ n: 20_000, clusters, auc: equal, brier: equal },
      logLoss: { ...equal, difference: logLoss },
    },
    ...changes,
  };
  return figures;
}

function judgementOf(withHour: ProviderFigures) {
  const trial: ProviderTrial = {
    provider: 'hkia',
    trainedOn: ['2025-10', '2025-11'],
    testedOn: ['2025-12'],
    baseRate: 0.1,
    measured: 0.99,
    figures: { with_dep_time: withHour, without_dep_time: someFigures() },
    score: {
      ...{ n: 20_000, disrupted: 0.13, bands: [], tenths: [], byConfidence: [] },
      ...{ byMonth: null, coverage: null },
    },
  };
  return judgeTrial(trial);
}

test('a record passes if it beats a constant forecast and the former rates are not better', (t) => {
  const accuracy = judgementOf(someFigures());
  t.is(accuracy.state, 'passed');
  t.like(accuracy.measured, {
    trainedOn: { first: '2025-10', last: '2025-11' },
    testedOn: ['2025-12'],
    withHour: { n: 20_000, auc: 0.65, overRates: { difference: -0.01, error: 0.001 } },
  });
  t.deepEqual(recordAccuracy.parse(JSON.parse(JSON.stringify(accuracy))), accuracy);
  t.is(judgementOf(someFigures({}, 0.002)).state, 'passed');
});

test('a record fails if a constant forecast is as good, or the former rates are better beyond the noise', (t) => {
  const constant = judgementOf(someFigures({ skill: 0 }));
  t.is(constant.state, 'failed');
  t.regex(constant.why, /no better than always forecasting the earlier delay rate/);
  const rates = judgementOf(someFigures({}, 0.0021));
  t.is(rates.state, 'failed');
  t.regex(rates.why, /earlier rates of each airline on each route, by 0\.00210/);
});

test('with too few flights or days the record is unmeasured, but its figures are stored', (t) => {
  for (const figures of [
    someFigures({ n: 19_999, skill: -1 }),
    someFigures({ skill: -1 }, 0, 19),
  ]) {
    const { state, measured } = judgementOf(figures);
    t.is(state, 'unmeasured');
    t.is(measured?.withHour.skill, -1);
  }
});

/** Measures a record of these months; each month has 30,000 flights. `cuts` contains the first day of each forecast. */
async function cutsOf(months: string[]) {
  const cuts: string[] = [];
  const { state, why } = await measureRecord(
    'own',
    months.map((month) => ({ month, from: `${month}-01` })),
    {
      outcomesOf: async (month) =>
        Array.from({ length: 20 }, (_, day) => {
          const flight_date = `${month}-${String(day + 1).padStart(2, '0')}`;
          return aScoredOutcome({ flight_date, completed_count: 1_500 }).outcome;
        }),
      storeAsOf: async (day) => {
        cuts.push(day);
        return { ...aStore(), route: () => undefined, airport: () => undefined };
      },
    },
  );
  return { state, why, cuts };
}

test('the newest two months are forecast, or one month of a short record', async (t) => {
  const four = ['2025-01', '2025-02', '2025-03', '2025-04'];
  t.deepEqual((await cutsOf(four)).cuts, ['2025-03-01']);
  t.deepEqual((await cutsOf(four.slice(0, 3))).cuts, ['2025-03-01']);
  t.deepEqual((await cutsOf(four.slice(0, 2))).cuts, ['2025-02-01']);
});

test('a record of one month, or without flights on known routes, is unmeasured', async (t) => {
  t.like(await cutsOf(['2025-01']), {
    state: 'unmeasured',
    why: 'the record has no earlier month to forecast from',
    cuts: [],
  });
  const unknown = await cutsOf(['2025-01', '2025-02']);
  t.is(unknown.state, 'unmeasured');
  t.regex(unknown.why, /no comparison is possible/);
});

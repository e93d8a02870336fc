import test from 'ava';
import type { Coverage, ModelMetadata } from '../../../models/onnx/metadata.ts';
import { FEATURES } from '../../../models/features.ts';
import { retrain, type RetrainDeps } from '../../../pipelines/model/retrain.ts';
import type { Knowledge } from '../../../warehouse/build/as-of.ts';
import { aStore } from '../../helpers/store.ts';
import { someMetadata } from '../../models/helpers/model.ts';
import { someOutcomes } from './helpers/outcomes.ts';

type TrainedOn = ModelMetadata['trainedOn'];

/** Three in ten of the earlier flights are late. */
const OUTLOOK = { under15: 120, from15to30: 20, from30to60: 30, from60to120: 18, over120: 12 };

function coverage(airports: number, flights: number): Coverage {
  return { first: '2018-01', last: '2018-12', flights, airports, carriers: 12, routes: 200 };
}

/** Training data of the model that ships with the code: the country in 2018. */
const COUNTRY: TrainedOn = {
  months: ['2018-09', '2018-10', '2018-11', '2018-12'],
  rows: 370_000,
  dataSha256: 'of the seed',
  coverage: coverage(358, 6_400_000),
};

/**
 * Retrains on a lake with these months; `forecasts` has the forecasts of the candidate and of the released model, by
 * day.
 */
async function trainOn(
  flights: Record<string, number>,
  candidate: TrainedOn,
  forecasts: Record<'candidate' | 'before', (day: number) => number>,
) {
  const months = Object.keys(flights);
  const deps: RetrainDeps = {
    knowledgeAsOf: async () =>
      ({ store: {}, training: { outlook: OUTLOOK } }) as unknown as Knowledge,
    outcomesOf: async (month) => someOutcomes(month, flights[month] ?? 0, 28),
    openStore: () => aStore(),
    train: () => Buffer.from('candidate'),
    openModel: (bytes) => ({
      metadata: someMetadata({ trainedOn: candidate }),
      predict: (rows) =>
        Float32Array.from({ length: rows.length / FEATURES.length }, (_, day) =>
          forecasts[Buffer.from(bytes).toString() as 'candidate' | 'before'](day),
        ),
    }),
    describeDisagreement: () => undefined,
    released: async () => ({
      version: 'b0b0b0b0b0b0',
      bytes: Buffer.from('before'),
      trainedOn: COUNTRY,
    }),
  };
  const request = { months, until: '2025-01-01', acceptsRegional: false };
  return retrain(request, deps, () => undefined);
}

test('with two small newest months, months are added, and a better regional model is not released', async (t) => {
  const flights = {
    '2017-09': 30_000,
    '2017-10': 30_000,
    '2017-11': 30_000,
    '2017-12': 30_000,
    '2024-11': 276,
    '2024-12': 276,
  };
  const region = { ...COUNTRY, coverage: coverage(112, 462_000) };
  const { verdict, trial, bytes } = await trainOn(flights, region, {
    candidate: () => 0.1,
    before: () => 0.2,
  });
  t.deepEqual(trial?.months, ['2017-12', '2024-11', '2024-12']);
  t.is(trial?.candidate.n, 30_552);
  t.is(bytes, undefined);
  t.regex(
    verdict.why,
    /^not released: regional: it was trained on 112 airports \(released model: 358\)/,
  );
});

test('a difference of 0.00003 never leads to a release', async (t) => {
  const flights = {
    '2018-09': 500_000,
    '2018-10': 500_000,
    '2018-11': 500_000,
    '2018-12': 500_000,
    '2024-11': 373,
    '2024-12': 373,
  };
  // On every second day one model is slightly better. On the other days it is worse by the same amount.
  const even = (shift: number) => (day: number) => (day % 2 === 0 ? 0.1 + shift : 0.12);
  const odd = (shift: number) => (day: number) => (day % 2 === 1 ? 0.1 + shift : 0.12);
  for (const [candidate, before] of [
    [even(0.018), odd(0.0192)],
    [odd(0.0192), even(0.018)],
  ] as const) {
    const { verdict, trial } = await trainOn(flights, COUNTRY, { candidate, before });
    t.deepEqual(trial?.months, ['2018-12', '2024-11', '2024-12']);
    t.is(trial?.candidate.n, 500_746);
    t.deepEqual(trial?.seen, ['2018-12']);
    const gain = Math.abs(trial?.gain?.gain ?? 0);
    t.true(gain > 0.00001 && gain < 0.0001, `${gain}`);
    t.false(verdict.isReleased);
    t.regex(verdict.why, /the released model was trained on 2018-12, which favours it$/);
  }
});

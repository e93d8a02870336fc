import test from 'ava';
import { createAssess, type AssessDeps } from '../../api/scoring/assess.ts';
import { airlinesBody } from '../../api/schemas/airlines.ts';
import { scoreBody, type ScoreBody } from '../../api/schemas/score.ts';
import { assembleRows } from '../../models/assemble.ts';
import { expit } from '../../warehouse/ground/log-odds.ts';
import { linear, sigmoid } from '../../models/onnx/blocks.ts';
import type { Graph } from '../../models/onnx/graph.ts';
import { openModel, type Model } from '../../models/onnx/model.ts';
import { assessFlight } from '../../models/score.ts';
import type { FlightQuery } from '../../models/types.ts';
import { hours } from '../models/helpers/hours.ts';
import { OURS, someModel } from '../models/helpers/model.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, someEffects, someStats } from '../helpers/store.ts';
import { anApi, keptLog, scoreUrl, SOME_KEY } from './helpers/app.ts';
import { aModel, shelfWith } from './helpers/model.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-03-20' };
const AIRLINES = `/api/airlines?origin=JFK&dest=LAX&api_key=${SOME_KEY}`;

/** An API that answers with the model, over a history of that many flights. */
function withModel(model: Model, flightCount = 1000) {
  const models = shelfWith(model);
  const kept = keptLog();
  const stats = someStats({
    flightCount,
    completedCount: flightCount,
    cancelledCount: 0,
    delayedCount: 1,
  });
  const store = {
    ...aStore(),
    effects: someEffects({}),
    routeCarrier: () => stats,
    carriersOnRoute: () => ['AA', 'B6', 'DL'].map((carrier) => ({ carrier, ...stats })),
  };
  const stores = { current: () => store };
  const assess = createAssess({ models, assemble: assembleRows, log: kept.log });
  return { store, ...kept, call: anApi({ stores, models, assess }) };
}

test('with a model its probability is in the answer, and the answer keeps its shape', async (t) => {
  const { model } = aModel(0.4);
  const { status, body } = await withModel(model).call(scoreUrl());
  t.is(status, 200);
  t.notThrows(() => scoreBody.parse(body));
  t.like(body, { score_ml: 40, ml_available: true, stats: { ml_probability: 40 } });
});

for (const [flightCount, weight] of [
  [1_000, 1],
  [50, 1],
  [25, 2 / 3],
  [10, 1 / 3],
] as const) {
  test(`of ${flightCount} flights of history the model has ${Math.round(30 * weight)} percent of the score`, async (t) => {
    const { model } = aModel(0.9);
    const { store, call } = withModel(model, flightCount);
    const { body } = await call(scoreUrl());
    // Unrounded, as the rule is.
    const { exactLinear: linear } = assessFlight(QUERY, store, { mlProbability: 0.9 });
    t.is(body['score'], Math.round(0.7 * linear + 0.3 * 90 * weight));
    t.is(body['score_linear'], Math.round(linear));
    const parts = (body as ScoreBody).components.reduce((sum, part) => sum + part.contribution, 0);
    t.true(Math.abs(parts - 0.7 * linear) < 0.05);
  });
}

test('a route without history is not asked of the model', async (t) => {
  const { model, asked } = aModel();
  const models = shelfWith(model);
  const assess = createAssess({ models, assemble: assembleRows, log: keptLog().log });
  const { body } = await anApi({ models, assess })(scoreUrl({ dest: 'AKL' }));
  t.like(body, {
    data_source: 'no_data',
    score_ml: null,
    ml_available: false,
    stats: { ml_probability: null },
  });
  t.is(body['score'], body['score_linear']);
  t.is(asked.times, 0);
});

test('the airlines of a route are scored with the model, as each is alone', async (t) => {
  const { model } = aModel(0.7);
  const { call } = withModel(model);
  const { status, body } = await call(AIRLINES);
  t.is(status, 200);
  const { airlines } = airlinesBody.parse(body);
  const alone = await call(scoreUrl({ date: '2026-03-10' }));
  t.deepEqual(
    airlines.map(({ airline, score }) => [airline, score]),
    ['AA', 'B6', 'DL'].map((airline) => [airline, alone.body['score']]),
  );
});

test('a model that fails, or answers nonsense, costs the answer its ML part alone and is logged once', async (t) => {
  const { model } = aModel();
  const bad: Model['predict'][] = [
    () => {
      throw new Error('model broken');
    },
    () => Float32Array.of(Number.NaN),
    () => Float32Array.of(1.5),
  ];
  for (const predict of bad) {
    const { call, lines } = withModel({ ...model, predict });
    for (const _ of [1, 2, 3]) {
      const { status, body } = await call(scoreUrl());
      t.is(status, 200);
      t.like(body, { ml_available: false, score_ml: null, stats: { ml_probability: null } });
      t.is(body['score'], body['score_linear']);
    }
    t.is(lines().filter(({ msg }) => msg === 'model failed').length, 1);
  }
});

test('a flight without an hour gets the expectation over the hours of its airline', (t) => {
  // Its log-odds are the first feature, and the hour is put there.
  const weights = OURS.features.map((_, at) => (at === 0 ? 1 : 0));
  const fill = weights.map(() => 0);
  const build = (graph: Graph) => sigmoid(graph, linear(graph, { weights, fill, intercept: -12 }));
  const model = openModel(someModel({ build }), OURS);
  const store = { ...aStore(), departureHours: () => hours({ 10: 1, 13: 3 }) };
  const assemble = (_: FlightQuery, depHours: readonly number[]) =>
    Float32Array.from(depHours.flatMap((hour) => OURS.features.map(() => hour)));
  const assess = createAssess({ models: shelfWith(model), assemble, log: keptLog().log });
  const at = (crsDepHour?: number) => {
    const query = { ...QUERY, ...(crsDepHour !== undefined && { crsDepHour }) };
    return assess(query, store, {}).mlProbability ?? Number.NaN;
  };
  const [ten, one] = [at(10), at(13)];
  t.true(Math.abs(ten - expit(-2)) < 1e-6);
  t.true(Math.abs(one - expit(1)) < 1e-6);
  t.true(Math.abs(at() - (0.25 * ten + 0.75 * one)) < 1e-6);
});

/** Scoring with a model, and what its features were told of the weather. */
function anObservedModel() {
  const { model } = aModel();
  const told: object[] = [];
  const assemble: AssessDeps['assemble'] = (query, depHours, store, weather) => {
    told.push(weather);
    return assembleRows(query, depHours, store, weather);
  };
  return { assess: createAssess({ models: shelfWith(model), assemble, log: keptLog().log }), told };
}

test('the model is told the weather of both ends, and no events', (t) => {
  const { assess, told } = anObservedModel();
  const store = aStore();
  const rain = { score: 0.7, condition: 'Rain', basis: 'forecast' as const };
  const typical = { score: 0.2, condition: 'Typical', basis: 'climatology' as const };
  const ends = [
    { weatherDep: rain, weatherArr: typical },
    { weatherDep: rain },
    { weatherArr: typical },
    {},
  ];
  for (const weather of ends) {
    const calm = assess(QUERY, store, weather);
    const strike = assess(QUERY, store, { ...weather, danger: someDanger() });
    t.true(strike.score > calm.score);
  }
  t.deepEqual(
    told,
    ends.flatMap((weather) => [weather, weather]),
  );
});

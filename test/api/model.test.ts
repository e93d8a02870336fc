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
import { CURRENT_CONTRACT, someModel } from '../models/helpers/model.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, effectTable, someStats } from '../helpers/store.ts';
import { anApi, captureLog, scoreUrl, SOME_KEY } from './helpers/app.ts';
import { aModel, modelsWith } from './helpers/model.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-03-20' };
const AIRLINES = `/api/airlines?origin=JFK&dest=LAX&api_key=${SOME_KEY}`;

/** Creates an API with the model and a history of `flightCount` flights. */
function withModel(model: Model, flightCount = 1000) {
  const models = modelsWith(model);
  const logging = captureLog();
  const stats = someStats({
    flightCount,
    completedCount: flightCount,
    cancelledCount: 0,
    delayedCount: 1,
  });
  const store = {
    ...aStore(),
    effects: effectTable({}),
    routeCarrier: () => stats,
    carriersOnRoute: () => ['AA', 'B6', 'DL'].map((carrier) => ({ carrier, ...stats })),
  };
  const stores = { current: () => store };
  const assess = createAssess({ models, assemble: assembleRows, log: logging.log });
  return { store, ...logging, call: anApi({ stores, models, assess }) };
}

test('with a model the answer has its probability and the same fields', async (t) => {
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
  test(`with ${flightCount} flights of history the model has a weight of ${Math.round(30 * weight)} percent`, async (t) => {
    const { model } = aModel(0.9);
    const { store, call } = withModel(model, flightCount);
    const { body } = await call(scoreUrl());
    // The rule applies to the unrounded score.
    const { exactLinear: linear } = assessFlight(QUERY, store, { mlProbability: 0.9 });
    t.is(body['score'], Math.round(0.7 * linear + 0.3 * 90 * weight));
    t.is(body['score_linear'], Math.round(linear));
    const parts = (body as ScoreBody).components.reduce((sum, part) => sum + part.contribution, 0);
    t.true(Math.abs(parts - 0.7 * linear) < 0.05);
  });
}

test('the model is not used for a route without history', async (t) => {
  const { model, calls } = aModel();
  const models = modelsWith(model);
  const assess = createAssess({ models, assemble: assembleRows, log: captureLog().log });
  const { body } = await anApi({ models, assess })(scoreUrl({ dest: 'AKL' }));
  t.like(body, {
    data_source: 'no_data',
    score_ml: null,
    ml_available: false,
    stats: { ml_probability: null },
  });
  t.is(body['score'], body['score_linear']);
  t.is(calls.count, 0);
});

test('the airlines on a route have the same scores as in /api/score, with the model', async (t) => {
  const { model } = aModel(0.7);
  const { call } = withModel(model);
  const { status, body } = await call(AIRLINES);
  t.is(status, 200);
  const { airlines } = airlinesBody.parse(body);
  const single = await call(scoreUrl({ date: '2026-03-10' }));
  t.deepEqual(
    airlines.map(({ airline, score }) => [airline, score]),
    ['AA', 'B6', 'DL'].map((airline) => [airline, single.body['score']]),
  );
});

test('a model that fails or returns invalid values removes only the ML part of the answer, and is logged once', async (t) => {
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

test('a flight without an hour gets the expected value over the departure hours of its airline', (t) => {
  // The model's log-odds are the first feature minus 12. In this test, every feature has the value of the hour.
  const weights = CURRENT_CONTRACT.features.map((_, at) => (at === 0 ? 1 : 0));
  const fill = weights.map(() => 0);
  const build = (graph: Graph) => sigmoid(graph, linear(graph, { weights, fill, intercept: -12 }));
  const model = openModel(someModel({ build }), CURRENT_CONTRACT);
  const store = { ...aStore(), departureHours: () => hours({ 10: 1, 13: 3 }) };
  const assemble = (_: FlightQuery, depHours: readonly number[]) =>
    Float32Array.from(depHours.flatMap((hour) => CURRENT_CONTRACT.features.map(() => hour)));
  const assess = createAssess({ models: modelsWith(model), assemble, log: captureLog().log });
  const at = (crsDepHour?: number) => {
    const query = { ...QUERY, ...(crsDepHour !== undefined && { crsDepHour }) };
    return assess(query, store, {}).mlProbability ?? Number.NaN;
  };
  const [ten, one] = [at(10), at(13)];
  t.true(Math.abs(ten - expit(-2)) < 1e-6);
  t.true(Math.abs(one - expit(1)) < 1e-6);
  t.true(Math.abs(at() - (0.25 * ten + 0.75 * one)) < 1e-6);
});

/** Creates an `assess` function with a model, and records the weather that is used for the model's features. */
function anObservedModel() {
  const { model } = aModel();
  const weathers: object[] = [];
  const assemble: AssessDeps['assemble'] = (query, depHours, store, weather) => {
    weathers.push(weather);
    return assembleRows(query, depHours, store, weather);
  };
  return {
    assess: createAssess({ models: modelsWith(model), assemble, log: captureLog().log }),
    weathers,
  };
}

test('the model gets the weather of both airports, and no events', (t) => {
  const { assess, weathers } = anObservedModel();
  const store = aStore();
  const rain = { score: 0.7, condition: 'Rain', basis: 'forecast' as const };
  const typical = { score: 0.2, condition: 'Typical', basis: 'climatology' as const };
  const ends = [
    { weatherDep: rain, weatherArr: typical },
    { weatherDep: rain, weatherArr: undefined },
    { weatherDep: undefined, weatherArr: typical },
    { weatherDep: undefined, weatherArr: undefined },
  ];
  for (const weather of ends) {
    const calm = assess(QUERY, store, weather);
    const strike = assess(QUERY, store, { ...weather, danger: someDanger() });
    t.true(strike.score > calm.score);
  }
  t.deepEqual(
    weathers,
    ends.flatMap((weather) => [weather, weather]),
  );
});

import test from 'ava';
import fc from 'fast-check';
import { scoreBody, type ScoreBody } from '../../../api/schemas/score.ts';
import { expectedLogOdds } from '../../../models/effect-odds.ts';
import { pointLine } from '../../../models/points.ts';
import type { LiveInputs } from '../../../models/types.ts';
import { someDanger } from '../../helpers/danger.ts';
import { aStore, someStats } from '../../helpers/store.ts';
import { anApi, scoreUrl } from '../helpers/app.ts';
import { startClient } from '../helpers/served.ts';
import {
  flag,
  float,
  integer,
  label,
  listOf,
  oneOf,
  orNull,
  findProblems,
  text,
  numberBetween,
  type Table,
} from '../helpers/specified.ts';

const FLIGHT = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };

const weather: Table = {
  score: numberBetween(0, 1),
  condition: text,
  temp: orNull(float),
  wind: orNull(numberBetween(0, Infinity)),
  precip: orNull(numberBetween(0, Infinity)),
};

/** Tables 2.2 to 2.5 of the specification. */
const score: Table = {
  score: integer(0, 100),
  score_linear: integer(0, 100),
  score_ml: orNull(integer(0, 100)),
  ml_available: flag,
  label,
  recommendation: (value) => text(value) && /^[A-Z].*\.$/.test(String(value)),
  input: { origin: text, destination: text, airline: text, flight_date: text },
  stats: {
    delay_rate_pct: numberBetween(0, 100),
    cancel_rate_pct: numberBetween(0, 100),
    avg_delay_min: (value) => value === 0 || numberBetween(30, Infinity)(value),
    n_flights: integer(0),
    confidence_pct: integer(0, 100),
    congestion_dep: numberBetween(0, 1),
    congestion_arr: numberBetween(0, 1),
    ml_probability: orNull(numberBetween(0, 100)),
  },
  components: listOf({
    key: oneOf('delay_rate', 'cancel_rate', 'congestion', 'weather', 'seasonality', 'event_risk'),
    name: text,
    value: numberBetween(0, 1),
    label,
    contribution: float,
  }),
  weather_dep: weather,
  weather_arr: weather,
  data_source: oneOf('exact', 'route_any_airline', 'no_data'),
  data_provider: text,
  airline_info: { name: text, country: text },
  origin_info: { name: text, city: text, country: text },
  dest_info: { name: text, city: text, country: text },
};

const probability = fc.double({ min: 0, max: 1, noNaN: true });
const rate = fc.double({ min: 0.001, max: 0.9, noNaN: true });

/** Generates any combination of history, live inputs and model output. */
const anything = fc.record({
  counts: fc.tuple(fc.nat(3000), fc.nat(300), fc.nat(100), fc.nat(300)),
  delayedRate: rate,
  cancelledRate: rate,
  congestion: probability,
  odds: fc.double({ min: 0.2, max: 5, noNaN: true }),
  weather: probability,
  eventRisk: probability,
  mlProbability: fc.option(probability, { nil: undefined }),
});

test('for any input, the response follows the tables of the specification and its parts are consistent', async (t) => {
  await fc.assert(
    fc.asyncProperty(anything, async (values) => {
      const call = anApi({
        stores: { current: () => storeOf(values) },
        liveInputs: () => liveOf(values),
      });
      const { body } = await call(scoreUrl({ include: 'blend' }));
      const { blend, ...plain } = scoreBody.parse(body);
      t.deepEqual(findProblems(plain, score), []);
      t.deepEqual(parts(plain), []);
      // The sum has seven terms, each rounded to a hundredth: six contributions and the part of the model.
      const sum = plain.components.reduce((points, part) => points + part.contribution, 0);
      t.true(Math.abs(sum + blend!.ml_points - blend!.score_before_rounding) < 0.05);
      t.true(Math.abs(blend!.score_before_rounding - plain.score) <= 0.51);
    }),
    { numRuns: 200 },
  );
});

type Given = typeof anything extends fc.Arbitrary<infer Values> ? Values : never;

function storeOf({ counts, delayedRate, cancelledRate, congestion, odds }: Given) {
  const [punctual, delayed, diverted, cancelled] = counts;
  const stats = {
    flightCount: 1 + punctual + delayed + diverted + cancelled,
    completedCount: 1 + punctual + delayed,
    delayedCount: delayed,
    cancelledCount: cancelled,
    delayedMinSum: 45 * delayed,
    delayedRate,
    cancelledRate,
  };
  return {
    ...aStore(),
    routeCarrier: () => stats,
    congestionByHour: () => allHours(congestion),
    congestion: () => congestion,
    monthOdds: () => odds,
  };
}

function liveOf({ weather, eventRisk, mlProbability }: Given): LiveInputs {
  return {
    weatherDep: {
      score: weather,
      condition: 'Rain',
      basis: 'forecast',
      tempC: -3,
      windMaxKmh: 0,
      precipMaxMm: 1,
    },
    danger: someDanger({ risk: eventRisk, logOdds: 5 * eventRisk }),
    ...(mlProbability !== undefined && { mlProbability }),
  };
}

/** Checks the rules between fields. */
function parts(body: ScoreBody): string[] {
  const bands = [30, 55, 74, 100];
  const labels = ['Low', 'Moderate', 'High', 'Very High'];
  const labelOf = (points: number) => labels[bands.findIndex((band) => points <= band)];
  const contributions = body.components.map(({ contribution }) => contribution);
  const rules: Record<string, boolean> = {
    'the label matches the score': body.label === labelOf(body.score),
    'the label of each component matches its value': body.components.every(
      (part) => part.label === labelOf(Math.round(100 * part.value)) || isOnEdge(part.value),
    ),
    'all six factors are present': new Set(body.components.map(({ key }) => key)).size === 6,
    'the highest contribution comes first': contributions.every(
      (points, at) => at === 0 || points <= contributions[at - 1]!,
    ),
    'both fields of the model are null together':
      (body.score_ml === null) === (body.stats.ml_probability === null),
    'ml_available is true if the model has a score': body.ml_available === (body.score_ml !== null),
    'without a model the score is statistical':
      body.ml_available || body.score === body.score_linear,
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

/** Whether the percentage is so close to a half that it may be rounded up or down. */
function isOnEdge(value: number): boolean {
  return Math.abs(((100 * value) % 1) - 0.5) < 0.02;
}

test('the HTTP response is the same, with news and optional parts if requested', async (t) => {
  const client = await startClient(t);
  const plain = await client.score(FLIGHT);
  t.deepEqual(findProblems(plain, score), []);
  const more = await client.score({ ...FLIGHT, news: true, include: ['lineage'] });
  t.deepEqual({ ...more, news: undefined, lineage: undefined }, {
    ...plain,
    news: undefined,
    lineage: undefined,
  } as ScoreBody);
  t.deepEqual(more.news, []);
  t.is(more.lineage?.horizon_days, 10);
});

test('each tier follows the tables, even without any history', async (t) => {
  const client = await startClient(t, { liveInputs: () => ({ mlProbability: 0.4 }) });
  const flights = { exact: {}, route_any_airline: { airline: 'NZ' }, no_data: { dest: 'AKL' } };
  for (const [tier, changes] of Object.entries(flights)) {
    const body = await client.score({ ...FLIGHT, ...changes });
    t.deepEqual(findProblems(body, score), [], tier);
    t.is(body.data_source, tier as ScoreBody['data_source']);
    // By the specification, the model does not contribute without history.
    t.is(body.ml_available, tier !== 'no_data');
  }
});

for (const [points, expected] of [
  [0, 'Low'],
  [30, 'Low'],
  [31, 'Moderate'],
  [55, 'Moderate'],
  [56, 'High'],
  [74, 'High'],
  [75, 'Very High'],
  [100, 'Very High'],
] as const) {
  test(`a flight whose odds are worth ${points} points has the score ${points} and the label ${expected}`, async (t) => {
    const { zero, slope } = pointLine(undefined);
    const store = {
      ...aStore(),
      // In this store the odds come only from the record, and cancellations are negligible.
      routeCarrier: () => someStats({ cancelledRate: 1e-9 }),
      flightOdds: () => zero + points / slope - expectedLogOdds(aStore()),
    };
    const client = await startClient(t, { stores: { current: () => store } });
    const body = await client.score(FLIGHT);
    t.is(body.score, points);
    t.is(body.score_linear, points);
    t.is(body.label, expected);
  });
}

test('the label of a component is the band of 100 times its value', async (t) => {
  for (const [value, expected] of [
    [0.3, 'Low'],
    [0.31, 'Moderate'],
    [0.55, 'Moderate'],
    [0.56, 'High'],
    [0.74, 'High'],
    [0.75, 'Very High'],
  ] as const) {
    const level = expectedLogOdds(aStore());
    const delayedRate = between(0.03, 0.35, value);
    const store = {
      ...aStore(),
      // These rates are the ends of the scales in docs/features.md.
      routeCarrier: () => someStats({ delayedRate, cancelledRate: between(0.003, 0.08, value) }),
      flightOdds: () => Math.log(delayedRate / (1 - delayedRate)) - level,
      congestionByHour: () => new Float32Array(24).fill(value),
      congestion: () => value,
      monthOdds: () => 2 ** (2 * value - 1),
    };
    const weather = { score: value, condition: 'Rain', basis: 'forecast' as const };
    const client = await startClient(t, {
      stores: { current: () => store },
      liveInputs: () => ({
        weatherDep: weather,
        weatherArr: weather,
        danger: someDanger({ risk: value, logOdds: (5 * value) / 22 }),
      }),
    });
    const { components } = await client.score(FLIGHT);
    t.deepEqual(new Set(components.map((part) => part.label)), new Set([expected]));
  }
});

/** Interpolates between two rates in log-odds. */
function between(low: number, high: number, part: number): number {
  const logit = (rate: number) => Math.log(rate / (1 - rate));
  return 1 / (1 + Math.exp(-(logit(low) + part * (logit(high) - logit(low)))));
}

function allHours(value: number): Float32Array {
  return new Float32Array(24).fill(value);
}

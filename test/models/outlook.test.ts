import test from 'ava';
import { buildInterval, buildOutlook, OUTCOMES } from '../../models/outlook.ts';
import type { Danger } from '../../models/danger.ts';
import { assessFlight } from '../../models/score.ts';
import type { Assessment } from '../../models/types.ts';
import { randomFrom } from '../../bench/generate/random.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, someStats } from '../helpers/store.ts';

const JFK_LAX_DL = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-22' };

type Facts = { mlProbability?: number; stats?: Partial<ReturnType<typeof someStats>> };

function anAssessment({ mlProbability, stats = {} }: Facts = {}): Assessment {
  const store = { ...aStore(), routeCarrier: () => someStats(stats) };
  return assessFlight(JFK_LAX_DL, store, mlProbability === undefined ? {} : { mlProbability });
}

test('the outcomes are in order, and follow the curve of the flight', (t) => {
  const outlook = buildOutlook({
    late: [0.275, 0.2, 0.14, 0.1, 0.06, 0.04, 0.02, 0.004],
    diverted: 0.002,
    cancelled: 0.05,
  });
  t.deepEqual(Object.keys(outlook), [...OUTCOMES, 'beyond120']);
  t.deepEqual(outlook, {
    under_15: 0.673,
    from_15_to_30: 0.075,
    from_30_to_60: 0.1,
    from_60_to_120: 0.06,
    over_120: 0.04,
    diverted: 0.002,
    cancelled: 0.05,
    beyond120: { from_120_to_180: 0.02, over_180: 0.02 },
  });
});

test('the interval contains its figure and narrows with history', (t) => {
  const widths = [0, 100, 1_000, 100_000].map((completedCount) => {
    const assessment = anAssessment({ mlProbability: 0.2, stats: { completedCount } });
    const { mlProbability = [1, 0], score } = requireValue(buildInterval(assessment, 50));
    t.true(mlProbability[0] <= 0.2 && 0.2 <= mlProbability[1]);
    t.true(score[0] <= assessment.score && assessment.score <= score[1]);
    return mlProbability[1] - mlProbability[0];
  });
  t.deepEqual(
    widths,
    widths.toSorted((a, b) => b - a),
  );
  t.true((widths[0] ?? 0) > 0.15);
  t.true((widths[3] ?? 1) < 0.005);
});

test('flights of other airlines on the route do not narrow the interval', (t) => {
  const exact = assessFlight(JFK_LAX_DL, aStore(), { mlProbability: 0.2 });
  const other = assessFlight({ ...JFK_LAX_DL, carrier: 'NZ' }, aStore(), { mlProbability: 0.2 });
  const width = (assessment: Assessment) => {
    const [low, high] = requireValue(buildInterval(assessment, 50)).mlProbability ?? [0, 0];
    return high - low;
  };
  t.true(width(other) > 2 * width(exact));
});

test('without a model the interval has only the score', (t) => {
  const assessment = anAssessment();
  const { mlProbability, score } = requireValue(buildInterval(assessment, 50));
  t.is(mlProbability, undefined);
  t.true(score[0] < assessment.score && assessment.score < score[1]);
});

test('nine in ten intervals contain the true rate', (t) => {
  const random = randomFrom('interval').next;
  const [prior, n0, n] = [0.15, 50, 120];
  let hits = 0;
  const rounds = 2_000;
  for (let round = 0; round < rounds; round++) {
    // Draws a rate from Beta(7.5, 42.5), as gamma / (gamma + gamma). Each gamma is a sum of exponentials plus half a
    // squared normal.
    const [a, b] = [gamma(prior * n0, random), gamma((1 - prior) * n0, random)];
    const rate = a / (a + b);
    let delayed = 0;
    for (let flight = 0; flight < n; flight++) delayed += random() < rate ? 1 : 0;
    const shrunk = (delayed + n0 * prior) / (n + n0);
    const stats = { completedCount: n, delayedCount: delayed, delayedRate: shrunk };
    const [low = 1, high = 0] =
      requireValue(buildInterval(anAssessment({ mlProbability: shrunk, stats }), n0))
        .mlProbability ?? [];
    if (low <= rate && rate <= high) hits += 1;
  }
  t.true(Math.abs(hits / rounds - 0.9) < 0.02, `${hits} of ${rounds}`);
});

test('the interval widens with less history of the flight, and is undefined without flights on the route', (t) => {
  const store = aStore();
  const storeWith = (...kinds: string[]) => ({
    ...store,
    groupRates: (kind: string) =>
      kinds.includes(kind) ? { delayedRate: 0.12, cancelledRate: 0.017 } : undefined,
  });
  const toAuckland = { ...JFK_LAX_DL, dest: 'AKL' };
  const width = (assessment: Assessment) => {
    const [low, high] = requireValue(buildInterval(assessment, 50)).score;
    return high - low;
  };
  const widths = [
    assessFlight(JFK_LAX_DL, store, {}),
    assessFlight({ ...JFK_LAX_DL, carrier: 'NZ' }, storeWith('carrier'), {}),
    assessFlight({ ...JFK_LAX_DL, carrier: 'NZ' }, storeWith(), {}),
  ].map(width);
  t.deepEqual(
    widths,
    widths.toSorted((a, b) => a - b),
  );
  for (const known of [[], ['origin'], ['origin', 'dest', 'carrier']]) {
    t.is(buildInterval(assessFlight(toAuckland, storeWith(...known), {}), 50), undefined);
  }
});

function requireValue<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the value is undefined');
  return value;
}

/** Draws from Gamma(shape); shape is a multiple of one half. */
function gamma(shape: number, random: () => number): number {
  let sum = 0;
  for (let whole = 0; whole < Math.floor(shape); whole++) sum -= Math.log(1 - random());
  if (shape % 1 === 0) return sum;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return sum + normal ** 2 / 2;
}

test('an interval at a limit of the scale still has a width', (t) => {
  const store = { ...aStore(), flightOdds: () => 4 };
  for (const live of [{ mlProbability: 0.4 }, {}]) {
    const assessment = assessFlight(JFK_LAX_DL, store, live);
    t.is(assessment.scoreLinear, 100);
    const [low, high] = requireValue(buildInterval(assessment, 50)).score;
    t.true(high > low, `${low} to ${high}`);
    t.true(low <= assessment.score && assessment.score <= high);
  }
});

test('events widen both intervals by the range of their effects', (t) => {
  const width = ([low, high]: readonly [number, number] = [0, 0]) => high - low;
  for (const mlProbability of [undefined, 0.1]) {
    const intervalWith = (danger: Danger | undefined) => {
      const live = { ...(danger && { danger }), ...(mlProbability && { mlProbability }) };
      const assessment = assessFlight(JFK_LAX_DL, aStore(), live);
      const interval = requireValue(buildInterval(assessment, 50));
      t.true(interval.score[0] <= assessment.score && assessment.score <= interval.score[1]);
      return interval;
    };
    const calm = intervalWith(undefined);
    const headline = intervalWith(someDanger({ logOdds: 6, range: [0, 6] }));
    t.is(headline.score[0], calm.score[0], 'the headline may mean nothing');
    t.true(headline.score[1] > calm.score[1] + 20);
    const official = intervalWith(someDanger({ logOdds: 4, range: [2, 6] }));
    t.true(official.score[0] > calm.score[1]);
    t.true(width(official.score) > width(calm.score));
    if (mlProbability !== undefined) {
      t.true(width(headline.mlProbability) > width(calm.mlProbability));
    }
  }
});

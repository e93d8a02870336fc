import test from 'ava';
import { topDriver } from '../../models/drivers.ts';
import { buildRecommendation } from '../../models/recommendation.ts';
import { assessFlight } from '../../models/score.ts';
import type { FlightQuery, LiveInputs } from '../../models/types.ts';
import { dangerOf } from '../../models/danger.ts';
import { logit } from '../../warehouse/ground/log-odds.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { aStore, someStats } from '../helpers/store.ts';

const QUERY: FlightQuery = {
  origin: 'JFK',
  dest: 'LAX',
  carrier: 'AA',
  flightDate: '2026-12-22',
  crsDepHour: 18,
};

/** A store in which every flight is average, apart from the changes. */
function averageStore(changes: Partial<ScoreStore> = {}): ScoreStore {
  const { network } = aStore();
  const { delayedRate, cancelledRate } = network;
  return {
    ...aStore(),
    routeCarrier: () => someStats({ delayedRate, cancelledRate }),
    flightOdds: () => 0,
    congestion: () => 0.5,
    congestionByHour: () => new Float32Array(24).fill(0.5),
    ...changes,
  };
}

function assess(changes: Partial<ScoreStore> = {}, live: LiveInputs = {}) {
  return assessFlight(QUERY, averageStore(changes), live);
}

function advise(changes: Partial<ScoreStore> = {}, live: LiveInputs = {}): string {
  return buildRecommendation(assess(changes, live));
}

test('a flight that is average in every factor has no top driver', (t) => {
  const assessment = assess();
  t.is(topDriver(assessment), undefined);
  for (const { key, aboveAverage } of assessment.components) {
    t.true(Math.abs(aboveAverage) < 1e-9, key);
  }
});

test('a blizzard is the top driver, even of a flight with a better record than the average flight', (t) => {
  const blizzard = { score: 1, condition: 'Heavy snow and storm', basis: 'forecast' as const };
  for (const record of [0, -0.3]) {
    const recommendation = advise({ flightOdds: () => record }, { weatherDep: blizzard });
    t.regex(recommendation, /raised most by the weather/, recommendation);
  }
});

test('a closed airport is named as the cause, and event_risk is the top driver', (t) => {
  const flight = { ...QUERY, countries: ['US'] };
  const closure = { airport: 'JFK', kind: 'closure' as const, severity: 0.9, freshness: 1 };
  const now = new Date('2026-12-22T12:00:00Z');
  const danger = dangerOf(flight, { events: [], measures: [closure] }, () => undefined, now);
  const assessment = assess({}, danger === undefined ? {} : { danger });
  t.is(topDriver(assessment)?.key, 'event_risk');
  t.regex(
    buildRecommendation(assessment),
    /^High probability of disruption, as JFK is closed today \(FAA airport status\)/,
  );
});

test('a full hour at both airports is the top driver of a flight with an average record', (t) => {
  // The hour has the delay record that an average flight has at full airports.
  const flightOdds = () => 0.25;
  const congestionByHour = () => new Float32Array(24).fill(1);
  const assessment = assess({ flightOdds, congestionByHour });
  const { congestionDep, components } = assessment;
  t.regex(buildRecommendation(assessment), /raised most by airport congestion/);
  t.is(congestionDep, 1);
  const { value, contribution, label } = components.find(({ key }) => key === 'congestion')!;
  t.is(value, 1);
  t.is(label, 'Very High');
  t.true(contribution > 0);
});

test("an hour's own delays belong to the delay record, not to congestion", (t) => {
  const late = assess({ flightOdds: () => 1 });
  t.is(topDriver(late)?.key, 'delay_rate');
  t.regex(buildRecommendation(late), /raised most by the delay record of this flight/);
  // Full airports early in the morning, when delays are rare: congestion adds points, the record takes them away.
  const early = assess({
    flightOdds: () => -1.2,
    congestionByHour: () => new Float32Array(24).fill(0.9),
  });
  const pointsOf = (wanted: string) => early.components.find(({ key }) => key === wanted)!;
  t.true(pointsOf('congestion').contribution > 0 && pointsOf('congestion').aboveAverage > 0);
  t.true(pointsOf('delay_rate').aboveAverage < -10);
});

test('a bad month is the top driver if everything else is average', (t) => {
  t.regex(advise({ monthOdds: () => 1.5 }), /raised most by the time of year/);
});

test('frequent cancellations are the top driver if everything else is average', (t) => {
  const routeCarrier = () => someStats({ delayedRate: 0.12, cancelledRate: 0.09 });
  t.regex(advise({ routeCarrier }), /raised most by the cancellation record/);
});

test('a good record is the top driver of a safe flight', (t) => {
  const assessment = assess({ flightOdds: () => logit(0.05) - logit(0.12) });
  t.is(assessment.label, 'Low');
  t.is(
    buildRecommendation(assessment),
    'Safe to book: the risk is low, lowered most by the good delay record of this flight.',
  );
});

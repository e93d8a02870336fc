import test from 'ava';
import fc from 'fast-check';
import type { AirportMeasure } from '../../models/airport-measures.ts';
import {
  dangerOf,
  applyDanger,
  MAX_LOG_ODDS,
  type Danger,
  type ActiveMeasure,
} from '../../models/danger.ts';
import type { EventFlight, FlightEvent } from '../../models/event-risk.ts';
import type { EventType } from '../../warehouse/live/news.ts';
import { flightCurve } from '../../models/flight-curve.ts';
import { buildOutlook } from '../../models/outlook.ts';
import { assessFlight } from '../../models/score.ts';
import { aStore, someStats } from '../helpers/store.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const RUNS = 10_000;
const FLIGHT: EventFlight = {
  origin: 'JFK',
  dest: 'LAX',
  carrier: 'AA',
  flightDate: '2026-11-20',
  countries: ['US', 'US'],
};

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-11-20' };

const places = <T>(...all: T[]) => fc.subarray(all, { maxLength: 1 });
const events: fc.Arbitrary<FlightEvent> = fc.record({
  eventType: fc.constantFrom<EventType[]>(
    'strike',
    'weather',
    'atc',
    'security',
    'technical',
    'general',
  ),
  severity: fc.double({ min: 0, max: 1, noNaN: true }),
  publishedAt: fc
    .integer({ min: 0, max: 8 * 24 })
    .map((hours) => new Date(NOW.getTime() - hours * 3_600_000).toISOString()),
  touches: fc.record({
    airports: places('JFK', 'LAX', 'BOS'),
    carriers: places('AA', 'DL'),
    countries: places('US', 'FR'),
  }),
  source: fc.constant('The Wire'),
});
const measures: fc.Arbitrary<ActiveMeasure> = fc.record({
  airport: fc.constantFrom('JFK', 'LAX', 'BOS'),
  kind: fc.constantFrom<AirportMeasure['kind'][]>(
    'stop',
    'delay',
    'closure',
    'departures',
    'arrivals',
  ),
  severity: fc.double({ min: 0, max: 0.9, noNaN: true }),
  freshness: fc.double({ min: 0, max: 1, noNaN: true }),
});
const activeEvents = fc.record({
  events: fc.array(events, { maxLength: 4 }),
  measures: fc.array(measures, { maxLength: 3 }),
});
const flights = fc.record({
  delayedRate: fc.double({ min: 0.01, max: 0.6, noNaN: true }),
  cancelledRate: fc.double({ min: 0.001, max: 0.3, noNaN: true }),
  flightCount: fc.integer({ min: 1, max: 5_000 }),
  mlProbability: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
});

function assess(flight: typeof flights extends fc.Arbitrary<infer T> ? T : never, danger?: Danger) {
  const { mlProbability, ...stats } = flight;
  const store = { ...aStore(), routeCarrier: () => someStats(stats) };
  return assessFlight(QUERY, store, {
    ...(danger && { danger }),
    ...(mlProbability !== undefined && { mlProbability }),
  });
}

const dangerIn = ({ events, measures }: { events?: FlightEvent[]; measures?: ActiveMeasure[] }) =>
  dangerOf(FLIGHT, { events: events ?? [], measures: measures ?? [] }, () => undefined, NOW);

test('with any events contributions add up to the score, and the outlook is a distribution that agrees with ml_probability', (t) => {
  fc.assert(
    fc.property(flights, activeEvents, (flight, live) => {
      const danger = dangerIn(live);
      const assessment = assess(flight, danger);
      const parts = assessment.components.reduce((sum, { contribution }) => sum + contribution, 0);
      const ml = 30 * (assessment.mlProbability ?? 0) * Math.min(1, 2 * assessment.confidence);
      t.true(Math.abs(parts + ml - assessment.exactScore) < 1e-9);
      t.true(
        assessment.exactLinear <= 100 + 1e-9 && assessment.score >= 0 && assessment.score <= 100,
      );
      const curve = flightCurve({ query: QUERY, assessment, store: aStore() });
      if (!curve) return;
      const { beyond120, ...outlook } = buildOutlook(curve);
      const units = Object.values(outlook).map((share) => Math.round(share * 10_000));
      t.true(units.every((share) => share >= 0));
      t.is(
        units.reduce((sum, share) => sum + share, 0),
        10_000,
      );
      t.is(
        (units[2] ?? 0) + (units[3] ?? 0) + (units[4] ?? 0),
        Math.max(0, Math.round(10_000 * (assessment.mlProbability ?? 0))),
      );
      const parts120 = Math.round(10_000 * (beyond120.from_120_to_180 + beyond120.over_180));
      t.is(parts120, units[4] ?? -1);
      t.is(assessment.scoreMl, Math.round(100 * (assessment.mlProbability ?? 0)));
    }),
    { numRuns: RUNS },
  );
});

test('events never lower a score or a probability, and without events nothing changes', (t) => {
  fc.assert(
    fc.property(flights, activeEvents, (flight, live) => {
      const danger = dangerIn(live);
      const [calm, assessment] = [assess(flight), assess(flight, danger)];
      if (danger === undefined) t.deepEqual(assessment, calm);
      t.true(assessment.score >= calm.score);
      t.true((assessment.mlProbability ?? 0) >= (calm.mlProbability ?? 0) - 1e-12);
      t.true(
        assessment.cancelledProbability >=
          Math.min(calm.cancelledProbability, 1 - (calm.mlProbability ?? 0)) - 1e-12,
      );
    }),
    { numRuns: RUNS },
  );
});

test('the effect of an event fades without jumps', (t) => {
  const event: FlightEvent = {
    eventType: 'strike',
    severity: 0.9,
    publishedAt: '2026-11-20T12:00:00Z',
    touches: { airports: ['JFK'], carriers: [], countries: [] },
    source: 'The Wire',
  };
  const flight = { delayedRate: 0.12, cancelledRate: 0.02, flightCount: 900, mlProbability: 0.12 };
  const scores: number[] = [];
  for (let hours = 0; hours <= 7 * 24 + 1; hours++) {
    const now = new Date(NOW.getTime() + hours * 3_600_000);
    const danger = dangerOf(FLIGHT, { events: [event], measures: [] }, () => undefined, now);
    scores.push(assess(flight, danger).exactScore);
  }
  const steps = scores.slice(1).map((score, at) => (scores[at] ?? 0) - score);
  t.true(
    steps.every((step) => step >= -1e-9 && step < 1.5),
    `${Math.max(...steps)}`,
  );
  t.is(scores.at(-1), assess(flight).exactScore);
});

test('the order of two equal events does not matter', (t) => {
  const stop: ActiveMeasure = { airport: 'LAX', kind: 'stop', severity: 0.8, freshness: 1 };
  const delay: ActiveMeasure = { airport: 'LAX', kind: 'arrivals', severity: 0.8, freshness: 1 };
  const withFreshness = (freshness: number) =>
    dangerIn({ measures: [stop, { ...delay, freshness }] });
  const [before, after] = [withFreshness(0.999_999), withFreshness(1)];
  t.true(Math.abs((before?.logOdds ?? 0) - (after?.logOdds ?? 9)) < 1e-4);
  t.true(Math.abs((before?.cancelledShare ?? 0) - (after?.cancelledShare ?? 9)) < 1e-4);
  t.true((after?.logOdds ?? 9) <= MAX_LOG_ODDS);
});

test('cancellations grow first, at the expense of flights on time', (t) => {
  const danger = dangerIn({
    measures: [{ airport: 'JFK', kind: 'closure', severity: 0.9, freshness: 1 }],
  });
  const calm = { late: 0.2, cancelled: 0.02 };
  const { late, cancelled } = applyDanger(calm, danger, 0.5);
  t.true(late + cancelled > 0.95 && late + cancelled < 1);
  t.true(cancelled / 0.02 > late / 0.2);
  t.deepEqual(applyDanger(calm, undefined, 1), calm);
  t.deepEqual(applyDanger({ late: 1, cancelled: 0.02 }, danger, 1), { late: 1, cancelled: 0 });
  t.deepEqual(applyDanger({ late: 0, cancelled: 0 }, danger, 1), { late: 0, cancelled: 0 });
});

test('with little history a closure gives fewer cancellations and more late flights, with the same total', (t) => {
  const danger = dangerIn({
    measures: [{ airport: 'JFK', kind: 'closure', severity: 0.9, freshness: 1 }],
  });
  const probabilities = [0.9, 0.5, 0.25, 0.05].map((confidence) =>
    applyDanger({ late: 0.1, cancelled: 0.02 }, danger, confidence),
  );
  const [full, half, quarter, nearlyNone] = probabilities.map(({ cancelled }) => cancelled - 0.02);
  t.is(full, half);
  t.true(Math.abs(quarter! - half! / 2) < 1e-12);
  t.true(nearlyNone! > 0 && nearlyNone! < quarter!);
  const all = probabilities.map(({ late, cancelled }) => late + cancelled);
  t.true(all.every((sum) => Math.abs(sum - all[0]!) < 1e-12));
});

test('the range of an effect contains the effect, has a width, and begins at 0 for reports', (t) => {
  fc.assert(
    fc.property(activeEvents, (live) => {
      const danger = dangerIn(live);
      if (danger === undefined) return;
      const [low, high] = danger.range;
      t.true(low <= danger.logOdds && danger.logOdds <= high && high <= MAX_LOG_ODDS);
      if (danger.logOdds > 0) t.true(low < high);
      if (live.measures.length === 0) t.is(low, 0);
    }),
    { numRuns: RUNS },
  );
});

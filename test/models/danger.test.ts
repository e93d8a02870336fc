import test from 'ava';
import fc from 'fast-check';
import type { AirportMeasure } from '../../models/airport-measures.ts';
import {
  dangerOf,
  inDanger,
  MAX_LOG_ODDS,
  type Danger,
  type InForce,
} from '../../models/danger.ts';
import type { EventFlight, FlightEvent } from '../../models/event-risk.ts';
import type { EventType } from '../../warehouse/live/news.ts';
import { outlook } from '../../models/outlook.ts';
import { assessFlight } from '../../models/score.ts';
import { aStore, someStats } from '../helpers/store.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const RUNS = 10_000;
const SHARES = {
  notLate: { under15: 0.9, from15to30: 0.1 },
  late: { from30to60: 0.5, from60to120: 0.3, over120: 0.2 },
};
const FLIGHT: EventFlight = {
  origin: 'JFK',
  dest: 'LAX',
  carrier: 'AA',
  flightDate: '2026-11-20',
  countries: ['US', 'US'],
};

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
const measures: fc.Arbitrary<InForce> = fc.record({
  airport: fc.constantFrom('JFK', 'LAX', 'BOS'),
  kind: fc.constantFrom<AirportMeasure['kind'][]>(
    'stop',
    'delay',
    'closure',
    'departures',
    'arrivals',
  ),
  severity: fc.double({ min: 0, max: 0.9, noNaN: true }),
  left: fc.double({ min: 0, max: 1, noNaN: true }),
});
const inForce = fc.record({
  events: fc.array(events, { maxLength: 4 }),
  measures: fc.array(measures, { maxLength: 3 }),
});
const flights = fc.record({
  delayedRate: fc.double({ min: 0.01, max: 0.6, noNaN: true }),
  cancelledRate: fc.double({ min: 0.001, max: 0.3, noNaN: true }),
  flightCount: fc.integer({ min: 1, max: 5_000 }),
  mlProbability: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
});

function answer(flight: typeof flights extends fc.Arbitrary<infer T> ? T : never, danger?: Danger) {
  const { mlProbability, ...stats } = flight;
  const store = { ...aStore(), routeCarrier: () => someStats(stats) };
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-11-20' };
  return assessFlight(query, store, {
    ...(danger && { danger }),
    ...(mlProbability !== undefined && { mlProbability }),
  });
}

const dangerIn = ({ events, measures }: { events?: FlightEvent[]; measures?: InForce[] }) =>
  dangerOf(FLIGHT, { events: events ?? [], measures: measures ?? [] }, () => undefined, NOW);

test('with any events contributions add up to the score, and the outlook stays a distribution that agrees with ml_probability', (t) => {
  fc.assert(
    fc.property(flights, inForce, (flight, live) => {
      const danger = dangerIn(live);
      const given = answer(flight, danger);
      const parts = given.components.reduce((sum, { contribution }) => sum + contribution, 0);
      const ml = 30 * (given.mlProbability ?? 0) * Math.min(1, 2 * given.confidence);
      t.true(Math.abs(parts + ml - given.exactScore) < 1e-9);
      t.true(given.exactLinear <= 100 + 1e-9 && given.score >= 0 && given.score <= 100);
      const found = outlook(given, SHARES);
      if (!found) return;
      const units = Object.values(found).map((share) => Math.round(share * 10_000));
      t.true(units.every((share) => share >= 0));
      t.is(
        units.reduce((sum, share) => sum + share, 0),
        10_000,
      );
      t.is(
        (units[2] ?? 0) + (units[3] ?? 0) + (units[4] ?? 0),
        Math.round(10_000 * (given.mlProbability ?? 0)),
      );
      t.is(given.scoreMl, Math.round(100 * (given.mlProbability ?? 0)));
    }),
    { numRuns: RUNS },
  );
});

test('events never lower a score, a probability of delay or one of cancellation, and none changes no byte', (t) => {
  fc.assert(
    fc.property(flights, inForce, (flight, live) => {
      const danger = dangerIn(live);
      const [calm, given] = [answer(flight), answer(flight, danger)];
      if (danger === undefined) t.deepEqual(given, calm);
      t.true(given.score >= calm.score);
      t.true((given.mlProbability ?? 0) >= (calm.mlProbability ?? 0) - 1e-12);
      t.true(
        given.cancelledProbability >=
          Math.min(calm.cancelledProbability, 1 - (calm.mlProbability ?? 0)) - 1e-12,
      );
    }),
    { numRuns: RUNS },
  );
});

test('what an event does fades without jumps, in minutes as in days', (t) => {
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
    scores.push(answer(flight, danger).exactScore);
  }
  const steps = scores.slice(1).map((score, at) => (scores[at] ?? 0) - score);
  t.true(
    steps.every((step) => step >= -1e-9 && step < 1.5),
    `${Math.max(...steps)}`,
  );
  t.is(scores.at(-1), answer(flight).exactScore);
});

test('of two troubles alike in force neither jumps ahead of the other', (t) => {
  const stop: InForce = { airport: 'LAX', kind: 'stop', severity: 0.8, left: 1 };
  const delay: InForce = { airport: 'LAX', kind: 'arrivals', severity: 0.8, left: 1 };
  const just = (left: number) => dangerIn({ measures: [stop, { ...delay, left }] });
  const [before, after] = [just(0.999_999), just(1)];
  t.true(Math.abs((before?.logOdds ?? 0) - (after?.logOdds ?? 9)) < 1e-4);
  t.true(Math.abs((before?.cancelledShare ?? 0) - (after?.cancelledShare ?? 9)) < 1e-4);
  t.true((after?.logOdds ?? 9) <= MAX_LOG_ODDS);
});

test('cancelled grows first, from the flights that would have been on time', (t) => {
  const danger = dangerIn({
    measures: [{ airport: 'JFK', kind: 'closure', severity: 0.9, left: 1 }],
  });
  const calm = { late: 0.2, cancelled: 0.02 };
  const { late, cancelled } = inDanger(calm, danger, 0.5);
  t.true(late + cancelled > 0.95 && late + cancelled < 1);
  t.true(cancelled / 0.02 > late / 0.2);
  t.deepEqual(inDanger(calm, undefined, 1), calm);
  t.deepEqual(inDanger({ late: 1, cancelled: 0.02 }, danger, 1), { late: 1, cancelled: 0 });
  t.deepEqual(inDanger({ late: 0, cancelled: 0 }, danger, 1), { late: 0, cancelled: 0 });
});

test('of a flight hardly known less of a closure is cancelled and more is late, as many in all', (t) => {
  const danger = dangerIn({
    measures: [{ airport: 'JFK', kind: 'closure', severity: 0.9, left: 1 }],
  });
  const fates = [0.9, 0.5, 0.25, 0.05].map((confidence) =>
    inDanger({ late: 0.1, cancelled: 0.02 }, danger, confidence),
  );
  const [known, half, thin, unknown] = fates.map(({ cancelled }) => cancelled - 0.02);
  t.is(known, half);
  t.true(Math.abs(thin! - half! / 2) < 1e-12);
  t.true(unknown! > 0 && unknown! < thin!);
  const all = fates.map(({ late, cancelled }) => late + cancelled);
  t.true(all.every((sum) => Math.abs(sum - all[0]!) < 1e-12));
});

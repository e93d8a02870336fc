import test from 'ava';
import { assessFlight } from '../../models/score.ts';
import { buildRecommendation, type AdviceFacts } from '../../models/recommendation.ts';
import type { ComponentKey } from '../../models/types.ts';
import { aStore, someStats } from '../helpers/store.ts';

function part(key: ComponentKey, contribution = 9) {
  return { key, name: key, value: 0.9, label: 'Very High', contribution } as const;
}

function recommend(changes: Partial<AdviceFacts> = {}): string {
  return buildRecommendation({
    score: 60,
    tier: 'exact',
    components: [part('weather')],
    stats: someStats(),
    confidence: 0.9,
    hasRecord: { origin: true, dest: true, carrier: true },
    unknown: [],
    ...changes,
  });
}

test('a recommendation gives the advice of its band and names the largest part', (t) => {
  t.is(
    recommend(),
    'Elevated risk, mostly from the weather: check alternatives or add buffer time.',
  );
  t.is(recommend({ score: 20 }), 'Safe to book: the risk is low, mostly from the weather.');
  t.regex(
    recommend({ score: 40 }),
    /^Some risk, mostly from the weather: consider a flexible fare/,
  );
  t.regex(
    recommend({ score: 80 }),
    /^High probability of disruption, mostly from the weather: evaluate/,
  );
});

test('a placeholder is never named as a reason', (t) => {
  const components = [part('weather'), part('congestion', 8), part('seasonality', 7)];
  t.regex(
    recommend({ components, unknown: ['weather_dep', 'weather_arr'] }),
    /from airport congestion/,
  );
  t.regex(
    recommend({ components, unknown: ['weather_dep', 'weather_arr', 'congestion_dep'] }),
    /from airport congestion/,
    'congestion is known at one end',
  );
  t.is(
    recommend({ components: [part('weather')], unknown: ['weather_dep', 'weather_arr'] }),
    'Elevated risk: check alternatives or add buffer time.',
  );
});

test('the owner of a record is a part of the flight that is in the history', (t) => {
  const components = [part('delay_rate')];
  t.regex(recommend({ components }), /the delay record of this flight:/);
  t.regex(recommend({ components, tier: 'route_any_airline' }), /the delay record of this route:/);
  const few = someStats({ flightCount: 12 });
  t.regex(
    recommend({ components, stats: few, confidence: 0.2 }),
    /the delay record of similar flights:/,
  );
  const noFlights = {
    tier: 'no_data' as const,
    confidence: 0,
    stats: someStats({ flightCount: 0 }),
  };
  const hasRecord = { origin: true, dest: false, carrier: true };
  t.is(
    recommend({ ...noFlights, components, hasRecord }),
    'Elevated risk, mostly from the delay record of the departure airport and this airline: ' +
      'check alternatives or add buffer time (little evidence: no flights on this route in our history).',
  );
});

test('a history of one flight is not enough to call a flight safe', (t) => {
  const store = {
    ...aStore(),
    routeCarrier: () => someStats({ flightCount: 1, completedCount: 1, delayedRate: 0.05 }),
    flightOdds: () => ({ delay_rate: -1, congestion: 0 }),
  };
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-22' };
  const { score, recommendation: text } = assessFlight(query, store, {});
  t.true(score <= 30);
  t.regex(text, /^The risk looks low.*\(little evidence: 1 flight in our history\)\.$/);
});

test('without any history the score is that of an average flight, and the recommendation states it', (t) => {
  const store = { ...aStore(), congestion: () => undefined, congestionByHour: () => undefined };
  const query = { origin: 'LAX', dest: 'AKL', carrier: 'NZ', flightDate: '2026-12-22' };
  const { recommendation: text, unknown } = assessFlight(query, store, {});
  t.is(unknown.length, 7);
  t.regex(text, /our history has no flights of this route, its airports or this airline/);
  t.notRegex(text, /mostly from/);
});

test('an airline new to the route lowers confidence, an airline without any history even more', (t) => {
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'NZ', flightDate: '2026-12-22' };
  const confidence = (isSeen: boolean, flightCount: number) => {
    const store = {
      ...aStore({ routes: { 'JFK-LAX': someStats({ flightCount }) } }),
      groupRates: (kind: string) =>
        kind === 'carrier' && isSeen ? { delayedRate: 0.1, cancelledRate: 0.01 } : undefined,
    };
    return assessFlight(query, store, {}).confidence;
  };
  t.true(confidence(true, 100_000) > 0.2 && confidence(true, 100_000) <= 0.25);
  t.true(confidence(false, 100_000) > 0.1 && confidence(false, 100_000) <= 1 / 7);
  t.true(confidence(true, 10) < confidence(true, 1000));
});

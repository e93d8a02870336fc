import test from 'ava';
import { assessFlight } from '../../models/score.ts';
import { buildRecommendation, type AdviceFacts } from '../../models/recommendation.ts';
import type { ComponentKey } from '../../models/types.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, someStats } from '../helpers/store.ts';

function part(key: ComponentKey, aboveAverage = 9) {
  const contribution = key === 'delay_rate' ? 40 + aboveAverage : aboveAverage;
  return { key, name: key, value: 0.9, label: 'Very High', contribution, aboveAverage } as const;
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
    isHourKnown: true,
    recordWorth: 1,
    ...changes,
  });
}

test('a season raised by a holiday is named after the day, an opposite or small effect is not', (t) => {
  const season = (logOdds: number, aboveAverage = 9) =>
    recommend({
      components: [part('seasonality', aboveAverage)],
      holiday: { name: 'Thanksgiving Sunday', logOdds },
    });
  t.regex(season(0.3), /raised most by the day \(Thanksgiving Sunday\):/);
  t.regex(season(0.05), /raised most by the time of year:/);
  t.regex(season(-0.3), /raised most by the time of year:/);
  t.regex(season(-0.3, -9), /lowered most by the day \(Thanksgiving Sunday\):/);
});

test('a recommendation gives the advice of its band and names the top driver', (t) => {
  t.is(
    recommend(),
    'Elevated risk, raised most by the weather: check alternatives or add buffer time.',
  );
  t.is(
    recommend({ score: 20, components: [part('delay_rate', -12), part('weather', 3)] }),
    'Safe to book: the risk is low, lowered most by the good delay record of this flight.',
  );
  t.regex(
    recommend({ score: 40 }),
    /^Some risk, raised most by the weather: consider a flexible fare/,
  );
  t.regex(
    recommend({ score: 80 }),
    /^High probability of disruption, raised most by the weather: evaluate/,
  );
});

test('the top driver is the largest deviation from an average flight, not the largest contribution', (t) => {
  const components = [part('delay_rate', 4), part('weather', 9), part('seasonality', -6)];
  t.regex(recommend({ components }), /raised most by the weather/);
  t.regex(recommend({ components, score: 25 }), /lowered most by the time of year/);
});

test('if no factor raises the risk, the factor that lowers the risk most is named; an average flight has no driver', (t) => {
  const lowered = [part('delay_rate', -8), part('weather', 0)];
  t.regex(
    recommend({ components: lowered, score: 40 }),
    /^Some risk, lowered most by the good delay record of this flight/,
  );
  t.is(
    recommend({ components: [part('delay_rate', 0.4), part('weather', -0.9)], score: 40 }),
    'Some risk: consider a flexible fare and check again closer to departure.',
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
});

test('without flights on the route, the recommendation says only that there is no record, and an event in force', (t) => {
  const facts = { tier: 'no_data' as const, confidence: 0, stats: someStats({ flightCount: 0 }) };
  t.is(recommend(facts), 'No delay record for this flight.');
  const danger = someDanger({ logOdds: 6, cause: 'JFK is closed today (Test Wire)' });
  t.is(
    recommend({ ...facts, danger }),
    'No delay record for this flight, and JFK is closed today (Test Wire).',
  );
});

test('an old record is called old, with its last month', (t) => {
  const old = { confidence: 0.2, recordEnd: '2018-12', recordWorth: 0.2 };
  t.regex(recommend(old), / \(old evidence: the record of this flight ends in December 2018\)\.$/);
  t.notRegex(recommend({ ...old, recordWorth: 0.9, confidence: 0.8 }), /evidence/);
});

test('a history of one flight is not enough to call a flight safe', (t) => {
  const store = {
    ...aStore(),
    routeCarrier: () => someStats({ flightCount: 1, completedCount: 1, delayedRate: 0.05 }),
    flightOdds: () => -1,
  };
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-22' };
  const assessment = assessFlight(query, store, {});
  t.true(assessment.score <= 30);
  t.regex(
    buildRecommendation(assessment),
    /^The risk looks low.*\(little evidence: 1 flight in our history\)\.$/,
  );
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

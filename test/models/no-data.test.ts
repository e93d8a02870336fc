import test from 'ava';
import { buildRecommendation } from '../../models/recommendation.ts';
import { buildExplanation } from '../../models/explanation.ts';
import { averageFlight } from '../../models/average-flight.ts';
import { assessFlight } from '../../models/score.ts';
import { scorePoints } from '../../models/points.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import type { Airport, ScoreStore } from '../../warehouse/store/types.ts';
import { aStore, effectTable } from '../helpers/store.ts';

const AUSTRALIA = { country: 'Australia', countryCode: 'AU', timeZone: 'Australia/Sydney' };

function airport(iata: string, place: Partial<Airport> = {}): Airport {
  return { ...aStore().airport('JFK')!, iata, name: iata, city: iata, ...place };
}

/**
 * The effects of summer and evening in this store are those of the United States. JFK, LAX and AA have a record, DEN
 * has none.
 */
const store: ScoreStore = {
  ...aStore({
    airports: [
      ...['JFK', 'LAX', 'DEN'].map((iata) => airport(iata)),
      ...['SYD', 'MEL'].map((iata) => airport(iata, AUSTRALIA)),
    ],
  }),
  groupRates: (_kind, code) =>
    ['JFK', 'LAX', 'AA'].includes(code) ? { delayedRate: 0.15, cancelledRate: 0.03 } : undefined,
  congestion: (iata) => (['JFK', 'LAX'].includes(iata) ? 0.7 : undefined),
  congestionByHour: (iata) =>
    ['JFK', 'LAX'].includes(iata) ? new Float32Array(24).fill(0.7) : undefined,
  monthOdds: (month) => (month === 7 ? 1.6 : 1),
  weekdayOdds: (weekday) => (weekday === 5 ? 1.3 : 1),
  effects: effectTable({ 'hour 18': 0.8, 'hour 6': -0.9 }),
};

const SYD_MEL_QF = { origin: 'SYD', dest: 'MEL', carrier: 'QF', flightDate: '2026-07-17' };

const pointsOf = (assessment: ReturnType<typeof assessFlight>) =>
  Object.fromEntries(assessment.components.map(({ key, contribution }) => [key, contribution]));

test('effects of summer and evening do not apply in another country', (t) => {
  const assessments = [
    SYD_MEL_QF,
    { ...SYD_MEL_QF, crsDepHour: 18 },
    { ...SYD_MEL_QF, crsDepHour: 6 },
    { ...SYD_MEL_QF, flightDate: '2026-01-14' },
  ].map((query) => assessFlight(query, store, {}));
  const [first] = assessments;
  for (const assessment of assessments) {
    t.is(assessment.exactScore, first!.exactScore);
    const { delay_rate: _, ...others } = pointsOf(assessment);
    t.deepEqual(new Set(Object.values(others)), new Set([0]));
    t.is(buildRecommendation(assessment), 'No delay record for this flight.');
    t.deepEqual(
      new Set(assessment.components.map(({ aboveAverage }) => aboveAverage)),
      new Set([0]),
    );
  }
  const average = scorePoints(sum(Object.values<number>(averageFlight(store))), undefined).score;
  t.true(Math.abs((first?.exactScore ?? 0) - average) < 1e-9, 'the score of an average flight');
});

test('effects of summer and evening apply at an airport with history, and at another airport of its country', (t) => {
  for (const origin of ['JFK', 'DEN']) {
    const scoreAt = (changes: object) =>
      assessFlight(
        { ...SYD_MEL_QF, origin, dest: 'LAX', carrier: 'QF', ...changes },
        {
          ...store,
          route: () => undefined,
          routeCarrier: () => undefined,
        },
        {},
      ).exactScore;
    t.true(scoreAt({ crsDepHour: 18 }) > scoreAt({ crsDepHour: 6 }), origin);
    t.true(scoreAt({}) > scoreAt({ flightDate: '2026-01-16' }), origin);
  }
});

test('American effects of the evening do not apply to a departure abroad; the record of the airline does', (t) => {
  const fly = (changes: object) =>
    assessFlight({ ...SYD_MEL_QF, dest: 'LAX', ...changes }, store, {});
  t.is(fly({ crsDepHour: 18 }).exactScore, fly({ crsDepHour: 6 }).exactScore);
  t.not(pointsOf(fly({ carrier: 'AA' }))['cancel_rate'], 0);
});

test('two airports with history, but without a flight between them, are described as such', (t) => {
  const names = { airline: 'American', origin: 'New York', dest: 'Los Angeles' };
  const unflown = { ...store, route: () => undefined, routeCarrier: () => undefined };
  const text = (query: typeof SYD_MEL_QF) =>
    buildExplanation(assessFlight(query, unflown, {}), names);
  t.regex(
    text({ ...SYD_MEL_QF, origin: 'JFK', dest: 'LAX', carrier: 'AA' }),
    /^No airline is known to fly from New York to Los Angeles\./,
  );
  t.regex(text(SYD_MEL_QF), /^Our history has no flights from New York to Los Angeles\./);
});

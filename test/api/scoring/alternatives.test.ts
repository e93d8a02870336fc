import test from 'ava';
import { chooseAlternatives, listCandidates } from '../../../api/scoring/alternatives.ts';
import { assessFlight } from '../../../models/score.ts';
import type { Assessment, FlightQuery } from '../../../models/types.ts';
import type { Airport, CarrierStats, ScoreStore } from '../../../warehouse/store/types.ts';
import { aBrandStore } from '../../helpers/brand-store.ts';
import { aStore, someStats } from '../../helpers/store.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-03-20' };
const DATES = { first: '2026-03-19', last: '2027-03-10' };

const carrier = (code: string, changes: Partial<CarrierStats> = {}): CarrierStats => ({
  ...someStats(),
  carrier: code,
  ...changes,
});

const airport = (iata: string): Airport => ({
  ...aStore().airport('JFK')!,
  iata,
});

/** A store in which AA flies JFK-LAX at 6, 8 and, once in a thousand flights, 23 o'clock. */
function store(
  carriers: Record<string, CarrierStats[]> = { 'JFK-LAX': [carrier('AA')] },
): ScoreStore {
  const hours = new Float32Array(24);
  [hours[6], hours[8], hours[23]] = [500, 500, 1];
  return {
    ...aStore({ carriers, airports: ['JFK', 'LGA', 'EWR', 'LAX'].map(airport) }),
    departureHours: (origin, dest, code) =>
      code === 'B6' || `${origin}-${dest}` !== 'JFK-LAX' ? undefined : hours,
  };
}

const summarize = (candidates: ReturnType<typeof listCandidates>) =>
  candidates.map(({ change, query, depTime }) => {
    const { origin, dest, carrier: code, flightDate, crsDepHour } = query;
    return [change, origin, dest, code, flightDate, crsDepHour, depTime];
  });

test('candidates are hours with enough flights, current airlines with a record, and nearby days that can be scored', (t) => {
  const carriers = [
    carrier('AA'),
    carrier('B6'),
    carrier('DL'),
    carrier('HA', { flightCount: 99 }),
  ];
  const own = { query: { ...QUERY, crsDepHour: 8 }, depTime: '08:40' };
  t.deepEqual(summarize(listCandidates(own, DATES, store({ 'JFK-LAX': carriers }))), [
    ['hour', 'JFK', 'LAX', 'AA', '2026-03-20', 6, '06:00'],
    // B6 has no known hours.
    ['airline', 'JFK', 'LAX', 'B6', '2026-03-20', undefined, undefined],
    ['airline', 'JFK', 'LAX', 'DL', '2026-03-20', 8, '08:00'],
    ['day', 'JFK', 'LAX', 'AA', '2026-03-19', 8, '08:40'],
    ['day', 'JFK', 'LAX', 'AA', '2026-03-21', 8, '08:40'],
    ['day', 'JFK', 'LAX', 'AA', '2026-03-22', 8, '08:40'],
    ['day', 'JFK', 'LAX', 'AA', '2026-03-23', 8, '08:40'],
  ]);
});

test('an airline that has left the route has no other hours', (t) => {
  const left = store({ 'JFK-LAX': [carrier('DL')] });
  t.deepEqual(
    listCandidates({ query: QUERY }, DATES, left).filter(({ change }) => change === 'hour'),
    [],
  );
});

test('other airports are those of the same cities, with the same airline and with the busiest airline', (t) => {
  const carriers = {
    'JFK-LAX': [carrier('AA')],
    'EWR-LAX': [carrier('AA'), carrier('UA', { flightCount: 5_000 }), carrier('B6')],
    'LGA-LAX': [carrier('AA', { flightCount: 20 })],
  };
  const candidates = listCandidates({ query: QUERY }, DATES, store(carriers));
  t.deepEqual(summarize(candidates.filter(({ change }) => change === 'airports')), [
    ['airports', 'EWR', 'LAX', 'AA', '2026-03-20', undefined, undefined],
    ['airports', 'EWR', 'LAX', 'UA', '2026-03-20', undefined, undefined],
  ]);
});

test('a brand stays a brand on other days, and an alternative airline that operates all its flights is none', (t) => {
  const route: ScoreStore = {
    ...store({ 'JFK-LAX': [carrier('AA'), carrier('DL')] }),
    brand: aBrandStore().brand,
    brandsOnRoute: () => ['AA'],
  };
  const query: FlightQuery = { ...QUERY, isBrand: true };
  const brandsBy = (kind: string) =>
    listCandidates({ query }, DATES, route)
      .filter(({ change }) => change === kind)
      .map((candidate) => [candidate.query.carrier, candidate.query.isBrand]);
  t.deepEqual(brandsBy('airline'), [['DL', undefined]]);
  t.deepEqual(brandsBy('day').slice(0, 1), [['AA', true]]);
});

test('alternatives save at least three points beyond the interval, largest gain first', (t) => {
  const someStore = store();
  const own: Assessment = { ...assessFlight(QUERY, someStore, {}), score: 50 };
  const choose = (scores: number[], assessment: Assessment = own) =>
    chooseAlternatives(
      assessment,
      scores.map((score) => ({ change: 'day', query: QUERY, assessment: { ...own, score } })),
      someStore,
    ).map(({ saved }) => saved);
  // With 1,000 flights, the interval is about as wide as the smallest gain.
  t.deepEqual(choose([50, 48, 30, 46, 60]), [20, 4]);
  const few: Assessment = { ...own, stats: { ...own.stats, flightCount: 5, completedCount: 5 } };
  t.deepEqual(choose([46, 5], few), [45]);
  t.deepEqual(choose([1], { ...own, tier: 'no_data' }), []);
});

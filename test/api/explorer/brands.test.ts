import test from 'ava';
import type {
  AirlineData,
  RankingData,
  RouteData,
} from '../../../api/explorer/views/places/places-data.ts';
import type { FlightData } from '../../../api/explorer/views/flight/flight-data.ts';
import type { MapData } from '../../../api/explorer/views/map/map-data.ts';
import type { TodayData } from '../../../api/explorer/views/today/today-data.ts';
import type { AlternativesBody } from '../../../api/schemas/alternatives.ts';
import type { ItineraryBody } from '../../../api/schemas/itinerary.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { aBrandStore, aStoreWithEndedOperator } from '../../helpers/brand-store.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';

/** American sells flights of Envoy and Republic from JFK to LAX. Half of Republic's flights are inferred. */
function aStoreWithInferred(): ScoreStore {
  const store = aBrandStore();
  const record = store.brand('JFK', 'LAX', 'AA')!;
  const [envoy, republic] = record.operators;
  const operators = [envoy!, { ...republic!, inferredShare: 0.5, confidence: 0.9 }];
  const hours = Float32Array.from({ length: 24 }, (_, hour) => +(hour === 8 || hour === 18));
  const brand = { ...record, operators, inferredShare: 0.125, confidence: 0.9, hours };
  return {
    ...store,
    airlineRoutes: () => ['MQ', 'YX'].map((carrier) => ({ origin: 'JFK', dest: 'LAX', carrier })),
    departureHours: () => hours,
    airline: (code) => store.airline(code) ?? { iata: code, name: code, country: '' },
    comparisons: (kind) => (kind === 'brand' ? PLACES_STORE.comparisons('carrier') : []),
    brand: (_origin, _dest, code) => (code === 'AA' ? brand : undefined),
  };
}

const deps = () => {
  const store = aStoreWithInferred();
  return { ...explorerDeps(), stores: { current: () => store } };
};
const MARK =
  'For 13% of these flights, the record names only the airline that operated them. We estimate the airline on the ticket; about 90% of the estimates should be right.';
const OPERATORS = [
  { airline: 'MQ', name: 'MQ', share: 0.75, inferred: null },
  { airline: 'YX', name: 'YX', share: 0.25, inferred: { share: 0.5, confidence: 0.9 } },
];

test('a route lists the airline on the ticket with its operators, and marks what is inferred', async (t) => {
  const data = (await createJsonGet(deps())('/explorer/route?origin=JFK&dest=LAX')) as RouteData;
  t.deepEqual(
    data.airlines.map(({ iata, operators, inferred }) => ({ iata, operators, inferred })),
    [{ iata: 'AA', operators: OPERATORS, inferred: { share: 0.125, confidence: 0.9 } }],
  );
  const { payload } = await createPageGet(deps())('/routes/JFK-LAX');
  t.true(textOf(payload).includes('operated by MQ (75%) and YX (25%)'));
  t.true(payload.includes(`role="img" aria-label="${MARK}" title="${MARK}"`));
  t.true(textOf(payload).includes('≈: the airline on the ticket is estimated'));
  t.true(payload.includes('href="/airlines/YX"'));
});

test('the heading of a flight marks an inferred airline, between the airline and the day', async (t) => {
  const { payload } = await createPageGet(deps())('/flights/JFK-LAX-AA-2026-03-20');
  t.regex(textOf(payload), /American Airlines ≈ on Fri/);
});

test('the page of a brand names its operators, the page of an operator the brands that sell its flights', async (t) => {
  const json = createJsonGet(deps());
  const american = (await json('/explorer/airline?airline=AA')) as AirlineData;
  t.is(american.record.flights, 1000);
  t.deepEqual(american.operators, OPERATORS);
  t.deepEqual(american.sellers, []);
  t.deepEqual(american.inferred, { share: 0.125, confidence: 0.9 });
  const page = (await createPageGet(deps())('/airlines/AA')).payload;
  t.true(textOf(page).includes(MARK));
  t.true(textOf(page).includes('Who operates the flights of American Airlines'));
  t.regex(page, /<section class="index partners"[^]*?<\/a> <span/, 'a blank before the share');
  const [republic] = OPERATORS.slice(1);
  const store = aStoreWithInferred();
  const named = {
    ...store,
    airline: (code: string) =>
      code === 'YX' ? { iata: 'YX', name: 'Republic Airways', country: '' } : store.airline(code),
  };
  const withName = { ...deps(), stores: { current: () => named } };
  const own = (await createJsonGet(withName)('/explorer/airline?airline=YX')) as AirlineData;
  t.is(own.record.flights, 250);
  t.deepEqual(own.operators, []);
  t.deepEqual(own.sellers, [
    {
      ...{ airline: 'AA', name: 'American Airlines', share: 1, last: '2026-02' },
      inferred: republic!.inferred,
    },
  ]);
  const operatorPage = (await createPageGet(withName)('/airlines/YX')).payload;
  t.true(textOf(operatorPage).includes('flies for American Airlines'));
});

test('a page and an answer name the same operators with the same shares', async (t) => {
  const store = {
    ...aStoreWithEndedOperator(),
    departureHours: aStoreWithInferred().departureHours,
  };
  const json = createJsonGet({ ...explorerDeps(), stores: { current: () => store } });
  const flight = 'origin=JFK&dest=LAX&airline=AA&date=2026-03-20&dep_time=18:00';
  const page = (await json(`/explorer/flight?${flight}`)) as FlightData;
  const answer = (await json(`/api/score?${flight}&include=operators`)) as FlightData['score'];
  const own = page.rivals.find(({ airline }) => airline === 'AA');
  const shares = (operators: readonly { airline: string; share: number }[] = []) =>
    operators.map(({ airline, share }) => [airline, share]);
  t.deepEqual(shares(answer.operators), [['MQ', 1]]);
  t.deepEqual(shares(page.score.operators), [['MQ', 1]]);
  t.deepEqual(shares(own?.operators), [['MQ', 1]]);
});

test('the inferred share of an airline is computed from unrounded shares', async (t) => {
  const store = aStoreWithInferred();
  const record = store.brand('JFK', 'LAX', 'AA')!;
  const part = (carrier: string, flightCount: number, inferredShare: number) => {
    const [one] = record.operators;
    const confidence = inferredShare > 0 ? { confidence: 0.9 } : {};
    return {
      ...one!,
      carrier,
      stats: { ...one!.stats, flightCount },
      inferredShare,
      ...confidence,
    };
  };
  const operators = [part('MQ', 300, 0), ...['OH', 'PT', 'YX'].map((code) => part(code, 100, 1))];
  const own = {
    ...store,
    brand: (_origin: string, _dest: string, code: string) =>
      code === 'AA' ? { ...record, operators } : undefined,
  };
  const json = createJsonGet({ ...explorerDeps(), stores: { current: () => own } });
  const american = (await json('/explorer/airline?airline=AA')) as AirlineData;
  t.deepEqual(american.inferred, { share: 0.5, confidence: 0.9 });
});

test('rankings, the map and boards have the brand, not its operators', async (t) => {
  const json = createJsonGet(deps());
  const ranking = (await json('/explorer/ranking?of=airlines')) as RankingData;
  t.deepEqual(
    ranking.rated.map(({ code, inferred }) => [code, inferred?.confidence]),
    [
      ['DL', undefined],
      ['AA', 0.9],
    ],
  );
  t.deepEqual(
    ranking.operators.map(({ code, sellers }) => [code, sellers[0]?.airline]),
    [
      ['MQ', 'AA'],
      ['YX', 'AA'],
    ],
  );
  const map = (await json('/explorer/map?airline=AA')) as MapData;
  t.deepEqual(
    map.airlines.map(({ iata, is_partner }) => [iata, is_partner]),
    [
      ['AA', false],
      ['MQ', true],
      ['YX', true],
    ],
  );
  t.deepEqual(map.inferred, { share: 0.125, confidence: 0.9 });
  t.not(map.hours[8], null);
  const board = (await json('/explorer/today?airport=JFK')) as TodayData;
  t.deepEqual(
    board.hours.map(({ hour }) => hour),
    [8, 18],
  );
  // It is ten o'clock in New York. At 18:00, only Republic departs.
  t.deepEqual(
    board.risks.map(({ airline, hour, operators }) => [
      ...[airline, hour],
      operators.map((one) => [one.airline, one.share]),
    ]),
    [['AA', 18, [['YX', 1]]]],
  );
  const { payload } = await createPageGet(deps())('/airports/JFK/today');
  t.true(textOf(payload).includes('operated by YX'));
});

test('each hour of a brand has the score of the operators that depart in it', async (t) => {
  const json = createJsonGet(deps());
  const scoreOf = async (airline: string, time: string) => {
    const path = `/api/score?origin=JFK&dest=LAX&airline=${airline}&date=2026-03-20`;
    return (await json(`${path}&dep_time=${time}&include=by_hour`)) as FlightData['score'];
  };
  const american = await scoreOf('AA', '08:00');
  t.is(american.by_hour[18]?.score, (await scoreOf('AA', '18:00')).score);
  t.is(american.by_hour[18]?.score, (await scoreOf('YX', '18:00')).score);
  t.is(american.by_hour[8]?.score, (await scoreOf('MQ', '08:00')).score);
  t.not(american.by_hour[8]?.score, american.by_hour[18]?.score);
  t.deepEqual(
    american.by_hour.flatMap(({ hour, is_flown }) => (is_flown === true ? [hour] : [])),
    [8, 18],
  );
});

test('a flight page names the operators of a brand, and the brand of an operator', async (t) => {
  const get = createPageGet(deps());
  const american = textOf((await get('/flights/JFK-LAX-AA-2026-03-20')).payload);
  t.regex(
    american,
    /American Airlines tickets may be for flights operated by MQ \(score \d+\) or YX \(score \d+\)/,
  );
  t.true(american.includes(MARK));
  const json = createJsonGet(deps());
  const flight = '/explorer/flight?origin=JFK&dest=LAX&date=2026-03-20';
  const own = (await json(`${flight}&airline=YX`)) as FlightData;
  t.deepEqual(own.rivals.map(({ airline }) => airline).toSorted(), ['AA', 'YX']);
  t.is(own.score.stats.n_flights, 250);
  t.deepEqual(
    own.sellers.map(({ airline }) => airline),
    ['AA'],
  );
  t.is(((await json(flight)) as FlightData).score.input.airline, 'AA');
});

test('the answers about trips and alternatives say how much is inferred, and their pages explain the mark', async (t) => {
  const brand = { inferred_share: 0.125, confidence: 0.9 };
  const json = createJsonGet(deps());
  const flight = 'origin=JFK&dest=LAX&airline=AA&date=2026-03-20';
  const better = (await json(`/api/alternatives?${flight}&dep_time=18:00`)) as AlternativesBody;
  t.deepEqual(better.flight.brand, brand);
  t.true(better.alternatives.length > 0);
  for (const one of better.alternatives) {
    t.deepEqual(one.brand, one.airline === 'AA' ? brand : null);
  }

  const legs = 'JFK-LAX-AA-2026-03-20T08:00-11:15,LAX-JFK-MQ-2026-03-20T14:00-22:10';
  const trip = (await json(`/api/itinerary?legs=${legs}`)) as ItineraryBody;
  t.deepEqual(
    trip.legs.map((leg) => leg.brand),
    [brand, null],
  );

  const get = createPageGet(deps());
  const legend = '≈: the airline on the ticket is estimated';
  const operators = legs.replace('-AA-', '-MQ-');
  for (const [path, isMarked] of [
    ['/flights/JFK-LAX-AA-2026-03-20/alternatives', true],
    [`/trips?legs=${legs}`, true],
    [`/trips?legs=${operators}`, false],
    ['/compare?flights=JFK-LAX-AA-2026-03-20,JFK-LAX-MQ-2026-03-20', true],
    ['/compare?flights=JFK-LAX-MQ-2026-03-20,JFK-LAX-YX-2026-03-20', false],
  ] as const) {
    const { payload } = await get(path);
    t.is(payload.includes(`aria-label="${MARK}"`), isMarked, path);
    t.is(textOf(payload).split(legend).length - 1, Number(isMarked), path);
  }
});

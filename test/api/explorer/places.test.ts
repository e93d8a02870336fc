import { parse } from 'node:querystring';
import test from 'ava';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { createPageDocuments } from '../../../api/explorer/page-documents.ts';
import type { Page } from '../../../api/explorer/views/page.ts';
import { PAGES } from '../../../api/explorer/views/pages.ts';
import { publicDocument } from '../../../api/routes/public-document.ts';
import { z } from 'zod';
import { createAnswers } from '../../../api/explorer/answers.ts';
import type { Endpoint } from '../../../api/explorer/endpoint.ts';
import { airlineCode } from '../../../api/schemas/params.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { airlineEndpoint } from '../../../api/explorer/endpoints/airline.ts';
import { airportEndpoint } from '../../../api/explorer/endpoints/airport.ts';
import { flightEndpoint } from '../../../api/explorer/endpoints/flight.ts';
import { mapEndpoint } from '../../../api/explorer/endpoints/map.ts';
import { rankingEndpoint } from '../../../api/explorer/endpoints/ranking.ts';
import { routeEndpoint } from '../../../api/explorer/endpoints/route.ts';
import { howOften, scoreOfShare } from '../../../api/explorer/views/places/shares.ts';
import { basisSection } from '../../../api/explorer/views/flight/basis.ts';
import { rivalBars } from '../../../api/explorer/views/flight/rival-bars.ts';
import type { FlightData } from '../../../api/explorer/views/flight/flight-data.ts';
import type { MapData } from '../../../api/explorer/views/map/map-data.ts';
import type {
  AirlineData,
  AirportData,
  RankingData,
  RouteData,
} from '../../../api/explorer/views/places/places-data.ts';
import type { Danger } from '../../../models/danger.ts';
import type { DayWeather } from '../../../models/types.ts';
import { usualHours, usualShare } from '../../../models/usual-risk.ts';
import { scorePoints } from '../../../models/points.ts';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { round } from '../../../warehouse/ground/numbers.ts';
import { someDanger } from '../../helpers/danger.ts';
import { aStore } from '../../helpers/store.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { NOW, someDeps } from '../helpers/app.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';
import { moveDatesAhead } from '../../../api/openapi/json-schema.ts';

const DEPS: ApiDeps = someDeps({ stores: { current: () => PLACES_STORE } });

const DELTA = { origin: 'JFK', dest: 'LAX', carrier: 'DL' };

test('an airport has the record, the hours and the comparisons of the store, figure by figure', async (t) => {
  const body = (await airportEndpoint.answer({ airport: 'jfk' }, DEPS)) as AirportData;
  const carriers = PLACES_STORE.carriersOnRoute('JFK', 'LAX');
  t.is(
    body.record.flights,
    carriers.reduce((sum, { flightCount }) => sum + flightCount, 0),
  );
  t.is(
    body.record.late,
    carriers.reduce((sum, { delayedCount }) => sum + delayedCount, 0),
  );
  t.is(body.routes, 1);
  t.deepEqual(body.record_ends, { first: '2025-01', last: '2025-02' });
  t.deepEqual(body.by_month?.[6]?.[8], { flights: 40, late: 4, cancelled: 1 });
  t.is(body.by_month?.[6]?.[9], null);
  t.is(body.by_weekday, null);
  const services = [...PLACES_STORE.airlineRoutes()].filter(({ origin }) => origin === 'JFK');
  const monday = usualHours(services, { weekday: 1 }, PLACES_STORE)[18];
  t.is(body.usual_by_weekday[0]?.[18]?.share, round(monday?.share ?? 0, 4));
  t.is(
    body.usual.departures?.share,
    round(usualShare(usualHours(services, {}, PLACES_STORE)) ?? 0, 4),
  );
  t.deepEqual(
    body.airlines.map(({ code, ratio }) => [code, ratio]),
    [
      ['DL', round(Math.exp(-0.2), 6)],
      ['AA', round(Math.exp(0.2), 6)],
    ],
  );
  t.deepEqual(body.recent, [
    { month: '2025-12', flights: 100, late15: 20, cancelled: 2, diverted: 1 },
  ]);
});

test('a route has its airlines with the expected risk of each, and its months and hours', async (t) => {
  const body = (await routeEndpoint.answer({ origin: 'JFK', dest: 'LAX' }, DEPS)) as RouteData;
  const delta = body.airlines.find(({ iata }) => iata === 'DL');
  t.is(delta?.usual?.share, round(usualShare(usualHours([DELTA], {}, PLACES_STORE)) ?? 0, 4));
  t.is(delta?.record.flights, PLACES_STORE.routeCarrier('JFK', 'LAX', 'DL')?.flightCount);
  t.like(delta?.compared, {
    flights: 980,
    ratio: round(Math.exp(-0.2), 6),
    low: round(Math.exp(-0.2 - 0.1645), 6),
    high: round(Math.exp(-0.2 + 0.1645), 6),
  });
  t.deepEqual(body.by_month[6], { flights: 40, late: 4, cancelled: 1 });
  t.deepEqual(body.by_hour[8], { flights: 40, late: 4, cancelled: 1 });
  t.true(body.has_return);
  t.is(body.record.flights, PLACES_STORE.route('JFK', 'LAX')?.flightCount ?? 0);
});

test('places without history have empty figures, and unknown codes are refused', async (t) => {
  const airport = (await airportEndpoint.answer({ airport: 'AKL' }, DEPS)) as AirportData;
  t.is(airport.record.flights, 0);
  t.is(airport.record_ends, null);
  t.is(airport.usual.departures, null);
  t.is(airport.by_month, null);
  const airline = (await airlineEndpoint.answer({ airline: 'NZ' }, DEPS)) as AirlineData;
  t.is(airline.usual, null);
  t.is(airline.compared, null);
  const route = (await routeEndpoint.answer({ origin: 'LAX', dest: 'AKL' }, DEPS)) as RouteData;
  t.deepEqual(route.airlines, []);
  t.false(route.has_return);
  const messageOf = async (request: () => unknown) =>
    (await t.throwsAsync(async () => request()))?.message ?? '';
  t.regex(await messageOf(() => airportEndpoint.answer({ airport: 'QQQ' }, DEPS)), /QQQ/);
  t.regex(await messageOf(() => airlineEndpoint.answer({ airline: 'QQ' }, DEPS)), /QQ/);
  t.regex(
    await messageOf(() => routeEndpoint.answer({ origin: 'JFK', dest: 'JFK' }, DEPS)),
    /dest/,
  );
  t.regex(await messageOf(() => mapEndpoint.answer({ month: '13' }, DEPS)), /month/);
  t.regex(await messageOf(() => mapEndpoint.answer({ airline: 'NZ' }, DEPS)), /NZ/);
  t.regex(await messageOf(() => rankingEndpoint.answer({ of: 'trains' }, DEPS)), /of/);
});

test('an airline without flights in the newest year of a route does not count as current, and the page names it', async (t) => {
  const store: ScoreStore = {
    ...aStore(),
    recentMonths: PLACES_STORE.recentMonths,
    recordMonths: (_origin, _dest, carrier) => ({
      first: '2018-01',
      last: { AA: '2024-02', DL: '2024-03' }[carrier] ?? '2025-02',
    }),
  };
  const deps: ApiDeps = { ...DEPS, stores: { current: () => store } };
  const query = { origin: 'JFK', dest: 'LAX', prefers: 'AA', date: '2026-03-20' };
  const flight = (await flightEndpoint.answer(query, deps)) as FlightData;
  t.is(flight.score.input.airline, 'B6');
  t.deepEqual(
    flight.rivals.map(({ airline, is_current }) => [airline, is_current]),
    [
      ['DL', true],
      ['AA', false],
      ['B6', true],
    ],
  );
  const frame = { address: '/', site: 'http://localhost', locale: 'en-GB' };
  t.true(renderToString(basisSection(flight, frame)).includes('figures of JFK until Dec 2025'));
  t.true(
    renderToString(rivalBars(flight, frame) ?? h('p', null)).includes(
      'in the latest year on record: American Airlines (last flight Feb 2024).',
    ),
  );
});

test('the examples of /docs are future flights', (t) => {
  const ahead = (today: string) => moveDatesAhead('JFK-LAX-AA-2026-03-20T17:30,2026-03', today);
  t.is(ahead('2026-03-20'), 'JFK-LAX-AA-2026-03-20T17:30,2026-03');
  t.is(ahead('2026-03-21'), 'JFK-LAX-AA-2027-03-20T17:30,2026-03');
  t.is(ahead('2027-04-01'), 'JFK-LAX-AA-2028-03-20T17:30,2028-03');
});

test('airlines are ranked least late first, and only a clear difference is given as a ratio', async (t) => {
  const { rated } = (await rankingEndpoint.answer({ of: 'airlines' }, DEPS)) as RankingData;
  t.deepEqual(
    rated.map(({ code, address }) => [code, address]),
    [
      ['DL', '/airlines/DL'],
      ['AA', '/airlines/AA'],
    ],
  );
  t.is(howOften({ ratio: 0.74, low: 0.63, high: 0.87 }), '26% less often than');
  t.is(howOften({ ratio: 1.17, low: 1.11, high: 1.23 }), '17% more often than');
  t.is(howOften({ ratio: 0.95, low: 0.81, high: 1.12 }), 'about as often as');
  t.is(howOften({ ratio: 1.004, low: 1.001, high: 1.007 }), 'about as often as');
});

test('the map has the position and the hourly risk of airports, for all airlines or for one airline', async (t) => {
  const all = (await mapEndpoint.answer({}, DEPS)) as MapData;
  t.deepEqual(
    all.airports.map(({ iata }) => iata),
    ['JFK', 'LAX'],
  );
  const [jfk, lax] = all.airports;
  t.true((jfk?.x ?? 0) > (lax?.x ?? 0), 'east is on the right');
  t.true((jfk?.y ?? 0) < (lax?.y ?? 0), 'north is up');
  t.is(all.routes.length, 1, 'both directions are one line');
  t.true(all.land.outline.startsWith('M'));
  const delta = (await mapEndpoint.answer({ airline: 'DL', month: '7' }, DEPS)) as MapData;
  const [only] = delta.airports;
  const july = usualHours([DELTA], { month: 7 }, PLACES_STORE);
  t.is(only?.hours[18], Math.round(1000 * (july[18]?.share ?? 0)));
  t.is(only?.hours[9], null);
  t.deepEqual(delta.hours, only?.hours);
});

test('a share gets as many points as the score gives for its odds', (t) => {
  const points = (share: number) => Math.round(scorePoints(logit(share), undefined).score);
  for (const share of [0.05, 0.12, 0.5]) t.is(scoreOfShare(share), points(share));
  t.deepEqual([0, 1].map(scoreOfShare), [0, 100]);
});

test('an answer is cached by the parameters its endpoint reads, and ignores all others', async (t) => {
  let computed = 0;
  const endpoint: Endpoint = {
    path: '/explorer/some',
    restsOn: 'store',
    params: z.object({ airline: airlineCode.optional(), month: z.coerce.number().optional() }),
    answer: () => ({ computed: (computed += 1) }),
  };
  const answers = createAnswers(DEPS);
  const bodyOf = async (query: string) => (await answers.of(endpoint, parse(query))).document.body;
  const first = await bodyOf('airline=AA&month=7');
  t.is(await bodyOf('month=07&x=1&airline=aa'), first);
  t.is(computed, 1);
  t.not(await bodyOf('airline=DL&month=7'), first);
});

test('a flight is computed again when store, forecasts or news change, and a cached answer equals a new one', async (t) => {
  let [scored, at, news, forecastsAt] = [0, NOW, {}, 'first'];
  let danger: Danger | undefined;
  let [store, next] = [PLACES_STORE, PLACES_STORE];
  const deps: ApiDeps = {
    ...DEPS,
    assess: (...flight) => {
      scored += 1;
      return DEPS.assess(...flight);
    },
    liveInputs: () => ({ weatherDep: RAIN, ...(danger && { danger }) }),
    now: () => at,
    newsSnapshot: () => news,
    forecastsAt: () => forecastsAt,
    // The new store replaces the old one while a request to the old one is being answered.
    stores: {
      current: () => {
        const before = store;
        store = next;
        return before;
      },
    },
  };
  const query = { origin: 'JFK', dest: 'LAX', airline: 'AA' };
  const scoredFor = async (date = '2026-03-20', dep_time = '07:30') => {
    const input = { ...query, date, dep_time };
    const isSame = store === next;
    scored = 0;
    const answer = (await flightEndpoint.answer(input, deps)) as FlightData;
    const count = scored;
    if (isSame) t.deepEqual(await flightEndpoint.answer(input, { ...deps }), answer);
    return count;
  };
  const later = (minutes: number) => new Date(NOW.getTime() + 60_000 * minutes);
  const all = await scoredFor();
  t.is(await scoredFor(), 0);
  t.is(await scoredFor('2026-03-20', '09:30'), all - 24, 'the same day');
  t.true((await scoredFor('2026-03-21')) < all - 50, 'the same months');
  at = later(14);
  t.is(await scoredFor(), 0, 'nothing is computed again, but the ages are current');
  at = later(15);
  t.is(await scoredFor(), all);
  news = {};
  t.is(await scoredFor(), all);
  forecastsAt = 'second';
  t.is(await scoredFor(), all);
  [danger, news] = [someDanger({ logOdds: 1 }), {}];
  t.deepEqual([await scoredFor(), await scoredFor()], [all, 0]);
  // The effect of the event has declined.
  [at, danger] = [later(16), { ...danger, logOdds: 0.5 }];
  t.deepEqual([await scoredFor(), await scoredFor()], [all, 0]);
  // A store whose model was repaired has the same version as before.
  next = { ...store };
  t.is(await scoredFor(), 0, 'from the previous store');
  t.is(await scoredFor(), all, 'from the new store');
});

const RAIN: DayWeather = {
  score: 0.2,
  condition: 'Light rain',
  basis: 'forecast',
  fetchedAt: '2026-03-10T13:00:00.000Z',
};

test('a page is drawn once per combination of data, address, site and language', async (t) => {
  const documents = createPageDocuments();
  const [page] = PAGES.filter(({ path }) => path === '/airlines');
  const { document } = await createAnswers(DEPS).at('/explorer/ranking?of=airlines');
  const input = { page: page as Page, data: document, files: FILES };
  const frame = { address: '/airlines', site: 'http://localhost', locale: 'en-GB' };
  const first = await documents({ ...input, frame });
  t.true(String(first.body).includes('<title>Airlines'));
  t.is(await documents({ ...input, frame: { ...frame } }), first);
  t.not(await documents({ ...input, frame: { ...frame, locale: 'de' } }), first);
  const newer = publicDocument(document.type, `${String(document.body)} `);
  t.not(await documents({ ...input, data: newer, frame }), first);
  // A page that cannot be drawn does not affect other pages.
  const nonsense = publicDocument('application/json', '{}');
  await t.throwsAsync(documents({ ...input, data: nonsense, frame }));
  t.is(await documents({ ...input, frame }), first);
});

const FILES = { script: '/main.js', theme: '/theme.js', style: '/style.css', fonts: [] };

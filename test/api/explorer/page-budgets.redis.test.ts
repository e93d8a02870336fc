import test from 'ava';
import { flightsAt } from '../../../api/explorer/answers.ts';
import { MAX_FLIGHTS } from '../../../api/explorer/endpoint.ts';
import { matchPath } from '../../../api/explorer/views/page.ts';
import { PAGES } from '../../../api/explorer/views/pages.ts';
import { PLACES } from '../helpers/explorer-world.ts';
import { limitedPages } from '../helpers/limited-pages.ts';
import { createPageGet } from '../helpers/page-get.ts';

const FLIGHT = '/flights/JFK-LAX-B6-2026-03-20?dep_time=17:00';
const ROWS =
  'origin1=new+york&dest1=lax&airline1=AA&date1=2026-03-20&dep_time1=08:00&origin2=lax&dest2=jfk&airline2=AA&date2=2026-03-20&dep_time2=13:00';

/** Addresses of all pages, of the forms' requests without script, and of images that show flights. */
const ADDRESSES = [
  ...['/', FLIGHT, `/embed${FLIGHT}`, ...PLACES, '/record', '/coverage', '/docs'],
  '/flights?origin=new+york&dest=los+angeles&airline=delta&date=2026-03-20&dep_time=',
  ...[`/compare?${ROWS}`, `/trips?${ROWS}`],
  FLIGHT.replace('/flights/', '/cards/flights/').replace('?', '.png?'),
  '/cards/airports/JFK/today.png',
];

/** Returns the page at an address, and the address of the page's data; undefined for images. */
function pageAt(address: string) {
  const url = new URL(address, 'http://any');
  for (const page of PAGES) {
    const params = matchPath(page.path, url.pathname);
    if (params) return { page, source: page.source({ params, query: url.searchParams }) };
  }
  return undefined;
}

/** Counts the flights that a page shows, from the page's data. The pictures of a flight count as part of the flight. */
function countFlights(source: string, json: string): number {
  const data = JSON.parse(json);
  if (source.startsWith('/explorer/flight')) return 1;
  if (source.startsWith('/explorer/compare')) return data.flights.length;
  if (source.startsWith('/explorer/trip')) return data.answer?.legs.length ?? 0;
  if (source.startsWith('/explorer/today')) return data.risks.length;
  if (source.startsWith('/explorer/alternatives')) return 1 + data.answer.alternatives.length;
  return 0;
}

test('every page is counted, and no page shows more flights than its endpoint counts', async (t) => {
  const get = createPageGet();
  const reached = new Set(ADDRESSES.map((address) => pageAt(address)?.page.path));
  t.deepEqual(
    PAGES.filter(({ path }) => !reached.has(path)).map(({ path }) => path),
    [],
  );
  for (const address of ADDRESSES) {
    const source = pageAt(address)?.source;
    // This API has neither a model card nor a record of forecasts.
    if (source === undefined || /^\/explorer\/(model|record)/.test(source)) continue;
    const { statusCode, payload } = await get(source);
    t.is(statusCode, 200, source);
    t.true(countFlights(source, payload) <= flightsAt(source), source);
    t.true(flightsAt(source) <= MAX_FLIGHTS, source);
  }
});

test('twenty people behind one address who open any page ten times in ten minutes are never refused', async (t) => {
  const { get } = await limitedPages(t);
  const refusals: string[] = [];
  for (const [at, address] of ADDRESSES.entries()) {
    const visitor = `203.0.113.${at}`;
    for (let visit = 0; visit < 20 * 10; visit += 1) {
      const first = await get(address, visitor);
      const isForm = first.statusCode === 303;
      const last = isForm ? await get(String(first.headers.location), visitor) : first;
      if (last.statusCode === 429) refusals.push(`${address} at visit ${visit + 1}`);
    }
  }
  t.deepEqual(refusals, []);
});

test('a form without script, an unchanged page and an error cost no flights', async (t) => {
  const { get, flightsOf } = await limitedPages(t);
  const visitor = '203.0.113.7';
  const form = await get(`/compare?${ROWS}`, visitor);
  t.is(form.statusCode, 303);
  t.is(await flightsOf(visitor), 0);
  const page = await get(String(form.headers.location), visitor);
  t.deepEqual([page.statusCode, await flightsOf(visitor)], [200, 2]);
  const source = `/explorer${FLIGHT.slice(0, 7)}?origin=JFK&dest=LAX&airline=B6&date=2026-03-20`;
  for (const address of [
    source,
    FLIGHT.replace('/flights/', '/cards/flights/').replace('?', '.png?'),
  ]) {
    const before = await flightsOf(visitor);
    const { headers } = await get(address, visitor);
    t.is(await flightsOf(visitor), before + 1, address);
    const again = await get(address, visitor, { 'if-none-match': String(headers.etag) });
    t.deepEqual([again.statusCode, await flightsOf(visitor)], [304, before + 1], address);
  }
  const before = await flightsOf(visitor);
  t.is((await get('/airports/QQQ/today', visitor)).statusCode, 404);
  t.is(await flightsOf(visitor), before);
});

test('a board on a wall counts each flight once until its figures change', async (t) => {
  const live = { delayScore: 0.2 };
  const weather = () => ({ score: live.delayScore, condition: 'Rain', basis: 'forecast' as const });
  const { get, flightsOf, endShortWindows } = await limitedPages(t, {
    liveInputs: () => ({ weatherDep: weather() }),
    forecastsAt: () => String(live.delayScore),
  });
  const risksNow = async () => {
    const { payload } = await get('/explorer/today?airport=JFK', '203.0.113.8');
    return JSON.parse(payload).risks.length as number;
  };
  const shown = await risksNow();
  t.true(shown > 0 && shown < MAX_FLIGHTS, 'the board counts what it shows, not its maximum');
  // Every ten minutes for a day, with script or without.
  for (let refresh = 0; refresh < 144; refresh += 1) {
    const address = refresh % 2 === 0 ? '/explorer/today?airport=JFK' : '/airports/JFK/today';
    t.is((await get(address, '203.0.113.7')).statusCode, 200);
    if (refresh % 50 === 0) await endShortWindows();
  }
  t.is((await get('/cards/airports/JFK/today.png', '203.0.113.7')).statusCode, 200);
  // The board counts its flights, and once more for the averages of its hours.
  t.is(await flightsOf('203.0.113.7'), shown + 1);
  live.delayScore = 0.9;
  await get('/airports/JFK/today', '203.0.113.7');
  t.is(await flightsOf('203.0.113.7'), 2 * (shown + 1), 'changed figures are new answers');
});

test('a script gets at most 2,000 flights a day from all pages together', async (t) => {
  const { get, endShortWindows } = await limitedPages(t);
  const sources = ADDRESSES.flatMap((address) => pageAt(address)?.source ?? []);
  const withFlights = sources.filter((source) => flightsAt(source) > 0);
  const boards = new Set<string>();
  let [flights, refused] = [0, 0];
  for (let round = 0; round < 1_000 && refused < withFlights.length; round += 1) {
    refused = 0;
    for (const source of withFlights) {
      const { statusCode, payload } = await get(source, '203.0.113.7');
      // A board that has not changed tells the script nothing new, like an answer with status 304.
      const isKnown = source.startsWith('/explorer/today') && boards.has(payload);
      boards.add(payload);
      if (statusCode !== 200) refused += 1;
      else if (!isKnown) flights += countFlights(source, payload);
    }
    await endShortWindows();
  }
  t.is(refused, withFlights.length, 'in the end every page is refused');
  t.true(flights > 500 && flights <= 2_000, String(flights));
});

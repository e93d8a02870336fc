import test from 'ava';
import { createPlaceSearch } from '../../../api/explorer/endpoints/place-list.ts';
import { normalizeText } from '../../../api/explorer/endpoints/text-forms.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { readAirportDetails } from '../../../warehouse/reference/airport-details.ts';
import { AIRPORT_TABLE } from '../../../warehouse/reference/airport-table.ts';
import { PLACE_QUERIES } from '../../fixtures/place-queries.ts';

/** At least this many of the queries must lead to the right first suggestion. */
const MIN_RIGHT = 57;
/** Milliseconds in which a key press must be answered. A busy machine may be several times slower. */
const MAX_MS = 100;

/** All airports with the departures of the bundled history. */
const search = await (async () => {
  const db = await openDatabase({ threads: 1 });
  const places = await db.rows<{
    iata: string;
    name: string;
    city: string;
    country: string;
    flights: number;
  }>(
    `select iata, name, city, country, coalesce(flights, 0) as flights
     from read_parquet($airports) as airports
     left join (
       select origin, sum(flight_count)::double as flights from read_parquet($hours) group by all
     ) as departures on departures.origin = airports.iata`,
    { airports: AIRPORT_TABLE, hours: 'warehouse/seed/route_hours.parquet' },
  );
  db.close();
  return createPlaceSearch(places, await readAirportDetails());
})();

const firstOf = (query: string) => search(query)[0]?.value;

test('of 60 queries by travellers, at least 57 have the right first suggestion', (t) => {
  t.is(PLACE_QUERIES.length, 60);
  t.is(new Set(PLACE_QUERIES.map(([query]) => query)).size, 60);
  const wrong = PLACE_QUERIES.filter(([query, expected]) => firstOf(query) !== expected);
  t.log(`${60 - wrong.length} of 60 are right`);
  const found = wrong.map(([query]) => `${query}: ${firstOf(query)}`).join(', ');
  t.true(wrong.length <= 60 - MIN_RIGHT, found);
});

test('a press is answered within 100 ms', (t) => {
  const times = PLACE_QUERIES.map(([query]) => {
    const startedAt = performance.now();
    search(query);
    return performance.now() - startedAt;
  });
  const median = times.toSorted((a, b) => a - b)[times.length / 2] ?? Infinity;
  t.true(median < MAX_MS / 4, `${median} ms`);
});

test('a city comes before its airports, and its suggestion names them', (t) => {
  const [city, ...airports] = search('new york', 4);
  t.deepEqual(city, {
    value: 'New York',
    code: 'NYC',
    name: 'New York',
    detail: 'All airports: JFK, EWR, LGA',
    airports: ['JFK', 'EWR', 'LGA'],
  });
  t.deepEqual(airports.map(({ value }) => value).toSorted(), ['EWR', 'JFK', 'LGA']);
});

test('a name of one airport of a city finds that airport, a name of the city finds all', (t) => {
  t.is(firstOf('orange county'), 'SNA');
  t.is(firstOf('moskva'), 'Moscow');
  t.deepEqual(
    search('moskau', 3)
      .slice(1)
      .map(({ value }) => value)
      .toSorted(),
    ['DME', 'SVO'],
  );
});

test('every beginning of a name is found, also with one typing error in a longer word', (t) => {
  for (let length = 3; length <= 'cincinnati'.length; length++) {
    t.true(
      search('cincinnati'.slice(0, length)).some(({ value }) => value === 'CVG'),
      String(length),
    );
  }
  for (const typed of ['xincinnati', 'cincinati', 'cincinnatti', 'cinncinati']) {
    t.is(firstOf(typed), 'CVG', typed);
  }
});

test('the beginning of a well-known name is found even if it contains one typing error', (t) => {
  t.is(firstOf('phili'), 'PHL');
  t.is(firstOf('philidel'), 'PHL');
  t.is(firstOf('clevil'), 'CLE');
  t.true(
    search('phili').some(({ value }) => value === 'MNL'),
    'the Philippines are listed too',
  );
  t.not(firstOf('philippines'), 'PHL');
});

test('names of regions find their city, and two letters of a short word may be swapped', (t) => {
  for (const [query, expected] of [
    ['bay area', 'San Francisco'],
    ['socal', 'Los Angeles'],
    ['silicon valley', 'SJC'],
    ['twin cities', 'MSP'],
    ['south florida', 'Miami'],
    ['quad cities', 'MLI'],
    ['windy city', 'Chicago'],
    ['disney world', 'Orlando'],
    ['new yrok', 'New York'],
    ['salt lkae', 'SLC'],
  ] as const) {
    t.is(firstOf(query), expected, query);
  }
  t.deepEqual(search('xqzw vkjpt'), []);
});

test('an airport without scheduled flights is found if nothing else matches', (t) => {
  t.is(firstOf('augsburg'), 'AGB');
  t.not(firstOf('munich'), 'AGB');
  t.deepEqual(search('xyzzyq'), []);
  t.deepEqual(search('   '), []);
});

test('texts are compared without case, accents, apostrophes and short forms', (t) => {
  t.is(normalizeText('  São  Paulo '), 'sao paulo');
  t.is(normalizeText("O'Hare"), 'ohare');
  t.is(normalizeText('St. Louis'), 'saint louis');
  t.is(normalizeText('Łódź–Straße'), 'lodz strasse');
});

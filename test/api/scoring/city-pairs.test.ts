import test from 'ava';
import {
  airportsOfCity,
  airportsOfCode,
  busiestPair,
  pairsOf,
  sortByFlights,
} from '../../../api/scoring/city-pairs.ts';
import { CITIES } from '../../../warehouse/reference/cities.ts';
import { readAirports, readScheduledAirports } from '../../../warehouse/reference/airports.ts';
import type { CarrierStats } from '../../../warehouse/store/types.ts';
import { aBrandStore } from '../../helpers/brand-store.ts';
import { aStore, someStats } from '../../helpers/store.ts';

const carrier = (code: string): CarrierStats => ({ ...someStats(), carrier: code });
const airports = ['JFK', 'LGA', 'EWR', 'LAX', 'DFW', 'DAL'].map((iata) => ({
  ...aStore().airport('JFK')!,
  iata,
}));

test('a code is an airport, or else a city of which the store has airports', (t) => {
  const store = aStore({ airports });
  t.deepEqual(airportsOfCode('JFK', store), ['JFK']);
  t.deepEqual(airportsOfCode('NYC', store), ['JFK', 'EWR', 'LGA']);
  t.deepEqual(airportsOfCode('DFW', store), ['DFW']);
  t.deepEqual(airportsOfCode('LON', store), []);
  t.deepEqual(airportsOfCode('ZZZ', store), []);
  t.deepEqual(airportsOfCity('DAL', store), ['DAL', 'DFW']);
});

test('pairs are sorted by the flights of the airline, then of the flights that it operates, then of all airlines', (t) => {
  const american = aBrandStore().brand('JFK', 'LAX', 'AA');
  const brandOnRoute = american && { ...american, hours: new Float32Array(24).fill(5) };
  const store = {
    ...aStore({
      airports,
      carriers: {
        'JFK-LAX': [carrier('B6'), carrier('DL')],
        'LGA-LAX': [carrier('YX')],
        'EWR-LAX': [carrier('B6'), carrier('UA')],
      },
    }),
    departureHours: (origin: string) => new Float32Array(24).fill(origin === 'EWR' ? 9 : 5),
    brandsOnRoute: (origin: string) => (origin === 'LGA' ? ['AA'] : []),
    brand: (origin: string, _dest: string, code: string) =>
      origin === 'LGA' && code === 'AA' ? brandOnRoute : undefined,
  };
  const pairs = pairsOf(['JFK', 'LGA', 'EWR'], ['LAX']);
  const origins = (airline?: string) =>
    sortByFlights(pairs, airline, store).map(({ origin }) => origin);
  t.deepEqual(origins(), ['EWR', 'JFK', 'LGA']);
  t.deepEqual(origins('DL'), ['JFK', 'EWR', 'LGA']);
  t.deepEqual(origins('AA'), ['LGA', 'EWR', 'JFK']);
  t.deepEqual(origins('YX'), ['LGA', 'EWR', 'JFK']);
});

test('in a record without hours, pairs are sorted by all their flights', (t) => {
  const flights = (code: string, flightCount: number) => ({ ...carrier(code), flightCount });
  const record = aStore({
    airports,
    carriers: {
      'JFK-LAX': [flights('B6', 100), flights('DL', 100)],
      'LGA-LAX': [flights('YX', 5_000)],
    },
  });
  const entry = { file: 'departure_hours.arrow', rows: 0, bytes: 0, sha256: '' };
  const store = {
    ...record,
    manifest: { ...record.manifest, tables: { departure_hours: entry } },
    departureHours: () => undefined,
  };
  const own = { ...store, forRoute: () => store };
  const sorted = sortByFlights(pairsOf(['JFK', 'LGA'], ['LAX']), undefined, own);
  t.deepEqual(
    sorted.map(({ origin, flights: count }) => [origin, count]),
    [
      ['LGA', 5_000],
      ['JFK', 200],
    ],
  );
});

test('between pairs without departure hours, the one with more flights comes first', (t) => {
  const flights = (flightCount: number) => ({ ...carrier('WN'), flightCount });
  const store = {
    ...aStore({ airports, carriers: { 'JFK-LAX': [flights(150)], 'LGA-LAX': [flights(1_100)] } }),
    departureHours: () => undefined,
  };
  const sorted = sortByFlights(pairsOf(['JFK', 'LGA'], ['LAX']), 'WN', store);
  t.is(sorted[0]?.origin, 'LGA');
});

test('a city and one of its airports have no pair, two airports of a city have one', (t) => {
  const store = aStore({ airports });
  const pairOf = (origin: string, dest: string) =>
    busiestPair(airportsOfCode(origin, store), airportsOfCode(dest, store), {
      airline: undefined,
      store,
    });
  t.is(pairOf('NYC', 'JFK'), undefined);
  t.is(pairOf('JFK', 'NYC'), undefined);
  t.is(pairOf('JFK', 'JFK'), undefined);
  t.deepEqual(pairOf('JFK', 'LGA'), { origin: 'JFK', dest: 'LGA' });
  t.deepEqual(pairOf('NYC', 'LAX'), { origin: 'JFK', dest: 'LAX' });
});

test('the table of cities has airports with scheduled flights, each in one city', async (t) => {
  const scheduled = new Set((await readScheduledAirports()).map(({ iata }) => iata));
  const all = CITIES.flatMap(({ airports: codes }) => codes);
  t.true(all.length > 100);
  t.deepEqual(
    all.filter((iata) => !scheduled.has(iata)),
    [],
  );
  t.is(new Set(all).size, all.length);
  t.is(new Set(CITIES.map(({ code }) => code)).size, CITIES.length);
});

test('the code of a city is never an airport of another city', async (t) => {
  const known = new Set((await readAirports()).map(({ iata }) => iata));
  const conflicts = CITIES.filter(
    ({ code, airports: own }) => known.has(code) && !own.includes(code),
  );
  t.deepEqual(conflicts, []);
});

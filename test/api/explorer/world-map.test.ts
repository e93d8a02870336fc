import test from 'ava';
import { LAND_SIZES, projectShapes } from '../../../api/explorer/land-shapes.ts';
import { createProjector } from '../../../api/explorer/endpoints/land.ts';
import { mapEndpoint } from '../../../api/explorer/endpoints/map.ts';
import type { MapData } from '../../../api/explorer/views/map/map-data.ts';
import { groupTargets } from '../../../api/explorer/views/map/targets.ts';
import { someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createPageGet, textOf } from '../helpers/page-get.ts';
import { WORLD } from '../helpers/world-store.ts';

const DEPS = someDeps({ ...explorerDeps(), stores: { current: () => WORLD } });
const mapOf = async (query: Record<string, string> = {}) =>
  (await mapEndpoint.answer(query, DEPS)) as MapData;
const codesOf = ({ airports }: MapData) => airports.map(({ iata }) => iata).toSorted();

test('the map of the world has the airports of all records, and the map of the United States only its own', async (t) => {
  const world = await mapOf();
  t.deepEqual(codesOf(world), ['HKG', 'JFK', 'LAX', 'SYD']);
  t.is(world.region, 'world');
  t.true(world.has_us);
  t.deepEqual(world.airlines.map(({ iata }) => iata).toSorted(), ['AA', 'B6', 'CX', 'DL', 'QF']);
  for (const { x, y } of world.airports) {
    t.true(x! > 0 && x! < LAND_SIZES.world.width && y! > 0 && y! < LAND_SIZES.world.height);
  }
  t.deepEqual(codesOf(await mapOf({ region: 'us' })), ['JFK', 'LAX']);
  t.deepEqual(codesOf(await mapOf({ airline: 'CX' })), ['HKG']);
});

test('dots are sized by flights per month, because records have different lengths', async (t) => {
  const { airports } = await mapOf();
  const hongKong = airports.find(({ iata }) => iata === 'HKG')!;
  t.deepEqual([hongKong.flights, hongKong.monthly], [2_000, 1_000]);
  const monthly = airports.map((one) => one.monthly);
  t.deepEqual(
    monthly,
    monthly.toSorted((a, b) => b - a),
  );
});

test('an airport whose hours are unknown shows the share of its record for the whole day', async (t) => {
  const { airports, routes } = await mapOf();
  const sydney = airports.find(({ iata }) => iata === 'SYD')!;
  // 200 late and 100 cancelled of 2,000 flights.
  t.is(sydney.day, 150);
  t.true(sydney.hours.every((share) => share === null));
  t.is(routes.find(({ dest }) => dest === 'MEL')?.day, 150);
  const hongKong = airports.find(({ iata }) => iata === 'HKG')!;
  t.is(hongKong.day, null);
  t.true(hongKong.hours[9]! > 0);
  const get = createPageGet({ ...explorerDeps(), stores: { current: () => WORLD } });
  const page = (await get('/map?hour=3')).payload;
  t.regex(page, /<path class="all-day line-\d"/);
  const text = textOf(page);
  t.true(text.includes('For the airport with a hollow dot, departure times are unknown'));
  t.true(text.includes('The 3 small grey dots are airports without flights in this hour.'));
  t.true(page.includes('href="/map?hour=3&amp;region=us"'));
  const us = (await get('/map?region=us&hour=3')).payload;
  t.false(us.includes('City of HKG'));
  t.true(us.includes('<input type="hidden" name="region" value="us"'));
});

test('the map of the United States leads back to the world if an airline has no departures there', async (t) => {
  const get = createPageGet({ ...explorerDeps(), stores: { current: () => WORLD } });
  const page = (await get('/map?region=us&airline=CX')).payload;
  t.regex(textOf(page), /The history has no departures of [^.]+ from the United States\./);
  t.false(page.includes('no flights with departure hours'));
  t.regex(page, /<a\s+href="\/map\?[^"]*airline=CX[^"]*"[^>]*>World</);
  t.false((await get('/map?region=us&airline=AA')).payload.includes('no departures'));
});

test('a place whose hours are unknown shows its record instead of an empty chart', async (t) => {
  const get = createPageGet({ ...explorerDeps(), stores: { current: () => WORLD } });
  const page = (await get('/airports/SYD')).payload;
  // 200 of 1,900 completed flights were late.
  t.true(textOf(page).includes('In the record, about 11 in 100 departures from SYD arrived'));
  t.false(page.includes('id="usual-weekdays"'));
  t.true(textOf(page).includes('Australia · local times (UTC)'));
  t.true((await get('/airports/JFK')).payload.includes('id="usual-weekdays"'));
});

test('the highest zoom separates the airports of New York on both maps', (t) => {
  const cities = [
    { iata: 'JFK', latitude: 40.64, longitude: -73.78 },
    { iata: 'LGA', latitude: 40.777, longitude: -73.872 },
    { iata: 'EWR', latitude: 40.692, longitude: -74.169 },
  ];
  for (const region of ['world', 'us'] as const) {
    const at = createProjector(region);
    const { max_zoom } = LAND_SIZES[region];
    const placed = cities.map((one) => {
      const { x, y } = at(one)!;
      const home = { x, y };
      return {
        ...{ iata: one.iata, city: '', flights: 1, monthly: 1, radius: 2, hours: [] },
        day: null,
        home,
        x: x * max_zoom,
        y: y * max_zoom,
      };
    });
    t.is(groupTargets(placed, 34).length, 3, region);
  }
});

test('no land of the world map crosses its edges', async (t) => {
  const { outline } = await projectShapes('world');
  const { width } = LAND_SIZES.world;
  const points = [...outline.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x]) => Number(x));
  t.true(points.length > 1_000);
  t.true(points.every((x) => x >= 0 && x <= width));
});

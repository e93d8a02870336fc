import test from 'ava';
import { LAND_SIZES, projectShapes } from '../../../api/explorer/land-shapes.ts';
import { createProjector } from '../../../api/explorer/endpoints/land.ts';
import { mapEndpoint } from '../../../api/explorer/endpoints/map.ts';
import type { MapData } from '../../../api/explorer/views/map/map-data.ts';
import { groupTargets } from '../../../api/explorer/views/map/targets.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { someStats } from '../../helpers/store.ts';
import { someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createPageGet, textOf } from '../helpers/page-get.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';

const place = (iata: string, countryCode: string, latitude: number, longitude: number) => ({
  ...{ iata, name: iata, city: `City of ${iata}`, country: countryCode, countryCode },
  ...{ timeZone: 'UTC', latitude, longitude },
});

const PLACES = [
  place('HKG', 'HK', 22.3, 113.9),
  place('SYD', 'AU', -33.9, 151.2),
  place('MEL', 'AU', -37.7, 144.8),
];

const stats = someStats({
  ...{ flightCount: 2_000, completedCount: 1_900, delayedCount: 200, cancelledCount: 100 },
});

/** A record of another country with these airline-routes, over two months. */
const aRecord = (
  routes: { origin: string; dest: string; carrier: string }[],
  departureHours: ScoreStore['departureHours'],
): ScoreStore => ({
  ...PLACES_STORE,
  manifest: { ...PLACES_STORE.manifest, months: ['2025-10', '2025-11'] },
  airlineRoutes: () => routes,
  routeCarrier: () => stats,
  departureHours,
});

const HONG_KONG = aRecord([{ origin: 'HKG', dest: 'SYD', carrier: 'CX' }], () =>
  Float32Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 2_000 : 0)),
);
const AUSTRALIA = aRecord([{ origin: 'SYD', dest: 'MEL', carrier: 'QF' }], () => undefined);

const ROUTES = new Map([
  ['HKGSYD', HONG_KONG],
  ['SYDMEL', AUSTRALIA],
]);

/** Records of the United States, Hong Kong and Australia. The record of Australia has no hours. */
const WORLD: ScoreStore = {
  ...PLACES_STORE,
  parts: [HONG_KONG, AUSTRALIA],
  airport: (iata) => PLACES.find((one) => one.iata === iata) ?? PLACES_STORE.airport(iata),
  forRoute: (origin, dest) => ROUTES.get(origin + dest) ?? WORLD,
};
for (const part of WORLD.parts) Object.assign(part, { forRoute: WORLD.forRoute });

const DEPS = someDeps({ ...explorerDeps(), stores: { current: () => WORLD } });
const mapOf = async (query: Record<string, string> = {}) =>
  (await mapEndpoint.answer(query, DEPS)) as MapData;
const codesOf = ({ airports }: MapData) => airports.map(({ iata }) => iata).toSorted();

test('the map of the world has the airports of all records, and the map of the United States only its own', async (t) => {
  const world = await mapOf();
  t.deepEqual(codesOf(world), ['HKG', 'JFK', 'LAX', 'SYD']);
  t.is(world.region, 'world');
  t.true(world.has_us);
  t.deepEqual(
    world.airlines.map(({ iata }) => iata),
    ['AA', 'B6', 'CX', 'DL', 'QF'],
  );
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
  t.regex(page, /<circle class="all-day line-\d"/);
  const text = textOf(page);
  t.true(text.includes('The hollow dot is an airport whose hours are unknown'));
  t.true(text.includes('The 3 small grey dots are airports without flights in this hour.'));
  t.true(page.includes('href="/map?hour=3&amp;region=us"'));
  const us = (await get('/map?region=us&hour=3')).payload;
  t.false(us.includes('City of HKG'));
  t.true(us.includes('<input type="hidden" name="region" value="us"'));
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

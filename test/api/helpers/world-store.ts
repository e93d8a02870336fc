import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { someStats } from '../../helpers/store.ts';
import { PLACES_STORE } from './places-store.ts';

const place = (
  iata: string,
  country: string,
  countryCode: string,
  latitude: number,
  longitude: number,
) => ({
  ...{ iata, name: iata, city: `City of ${iata}`, country, countryCode },
  ...{ timeZone: 'UTC', latitude, longitude },
});

const PLACES = [
  place('HKG', 'Hong Kong', 'HK', 22.3, 113.9),
  place('SYD', 'Australia', 'AU', -33.9, 151.2),
  place('MEL', 'Australia', 'AU', -37.7, 144.8),
];

const airport: ScoreStore['airport'] = (iata) =>
  PLACES.find((one) => one.iata === iata) ?? PLACES_STORE.airport(iata);

const stats = someStats({
  ...{ flightCount: 2_000, completedCount: 1_900, delayedCount: 200, cancelledCount: 100 },
});

/** Creates the record of another country: these airline-routes in two months. */
const aRecord = (
  routes: { origin: string; dest: string; carrier: string }[],
  departureHours: ScoreStore['departureHours'],
): ScoreStore => ({
  ...PLACES_STORE,
  manifest: { ...PLACES_STORE.manifest, months: ['2025-10', '2025-11'] },
  airlineRoutes: () => routes,
  airport,
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
export const WORLD: ScoreStore = {
  ...PLACES_STORE,
  parts: [HONG_KONG, AUSTRALIA],
  airport,
  airports: () => [...PLACES_STORE.airports(), ...PLACES],
  forRoute: (origin, dest) => ROUTES.get(origin + dest) ?? WORLD,
};
for (const part of WORLD.parts) Object.assign(part, { forRoute: WORLD.forRoute });

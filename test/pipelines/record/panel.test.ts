import test from 'ava';
import { choosePanel } from '../../../pipelines/record/panel.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import { aStore, someStats } from '../../helpers/store.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** 3,000 airline-routes. The first ones are the busiest, and each has departures at 6:00, 12:00 and 20:00. */
function someRoutes(): AirlineRoute[] {
  return Array.from({ length: 3_000 }, (_, at) => {
    const code = (n: number) => `${LETTERS[n % 26]}${LETTERS[Math.floor(n / 26) % 26]}X`;
    return { origin: code(at % 60), dest: code(100 + Math.floor(at / 60)), carrier: 'AA' };
  });
}

function aBigStore(provider: string, changes: Partial<ScoreStore> = {}): ScoreStore {
  const routes = someRoutes();
  const counts = new Map(routes.map((route, at) => [route.origin + route.dest, 3_000 - at]));
  const hours = Float32Array.from({ length: 24 }, (_, hour) =>
    [6, 12, 20].includes(hour) ? 1 : 0,
  );
  return {
    ...aStore({ manifest: { provider, months: ['2024-01', '2026-06'] } }),
    airlineRoutes: () => routes,
    routeCarrier: (origin, dest) => someStats({ flightCount: counts.get(origin + dest) ?? 0 }),
    recordMonths: () => ({ first: '2024-01', last: '2026-06' }),
    departureHours: () => hours,
    ...changes,
  };
}

test('the panel has equally many busy, medium and thin airline-routes, at all hours', (t) => {
  const panel = choosePanel(aBigStore('bts'));
  const countBy = (keyOf: (one: (typeof panel)[number]) => string): Record<string, number> =>
    Object.fromEntries([...Map.groupBy(panel, keyOf)].map(([key, all]) => [key, all.length]));
  t.deepEqual(
    countBy(({ traffic }) => traffic),
    { busy: 250, medium: 250, thin: 250 },
  );
  const hours = countBy(({ hour }) => String(hour));
  t.deepEqual(Object.keys(hours), ['6', '12', '20']);
  t.true(
    Object.values(hours).every((count) => count > 200),
    JSON.stringify(hours),
  );
});

test('another store with the same airline-routes chooses the same flights, even if their delays differ', (t) => {
  const late = aBigStore('bts', { groupRates: () => ({ delayedRate: 0.9, cancelledRate: 0.5 }) });
  t.deepEqual(choosePanel(aBigStore('bts')), choosePanel(late));
});

test('a new airline-route replaces few of the chosen ones', (t) => {
  const routes = someRoutes();
  const more = [...routes, { origin: 'ZZZ', dest: 'YYY', carrier: 'DL' }];
  const names = (store: ScoreStore) =>
    choosePanel(store).map(({ origin, dest, carrier }) => `${carrier} ${origin} ${dest}`);
  const before = new Set(names(aBigStore('bts')));
  const after = names(aBigStore('bts', { airlineRoutes: () => more }));
  t.true(after.filter((name) => !before.has(name)).length <= 3);
});

test('the panel has flights of other providers, and no flight of an ended airline-route', (t) => {
  const other = aBigStore('hkia', {
    airlineRoutes: () => someRoutes().map((route) => ({ ...route, carrier: 'CX' })),
    departureHours: () => undefined,
  });
  const panel = choosePanel(aBigStore('bts', { parts: [other] }));
  const cathay = panel.filter(({ carrier }) => carrier === 'CX');
  t.is(cathay.length, 90);
  t.true(cathay.every(({ hour }) => hour === undefined));
  const ended = aBigStore('bts', {
    recordMonths: (origin) => ({ first: '2024-01', last: origin < 'M' ? '2025-06' : '2025-07' }),
  });
  t.true(choosePanel(ended).every(({ origin }) => origin >= 'M'));
});

import test from 'ava';
import { buildRecommendation } from '../../models/recommendation.ts';
import { endOfAirline, routeAirlines } from '../../models/current-airlines.ts';
import { buildExplanation } from '../../models/explanation.ts';
import { assessFlight } from '../../models/score.ts';
import type { RecentMonth } from '../../warehouse/store/recent-month.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { aStore, someStats } from '../helpers/store.ts';

/** Creates a store in which each airline-route, such as `JFKLAXAA`, has flights until the given month. */
function storeUntil(
  months: Record<string, string>,
  levels: Record<string, string> = {},
): ScoreStore {
  const services = Object.keys(months)
    .toSorted()
    .map((key) => ({ origin: key.slice(0, 3), dest: key.slice(3, 6), carrier: key.slice(6) }));
  const isFlown = (key: string) => key in months;
  return {
    ...aStore(),
    airlineRoutes: () => services,
    recordMonths: (origin, dest, carrier) => {
      const last = months[origin + dest + carrier];
      return last === undefined ? undefined : { first: '2015-01', last };
    },
    routeCarrier: (origin, dest, carrier) =>
      isFlown(origin + dest + carrier) ? someStats() : undefined,
    carriersOnRoute: (origin, dest) =>
      services
        .filter((one) => one.origin === origin && one.dest === dest)
        .map(({ carrier }) => ({ carrier, ...someStats() })),
    recentMonths: (kind, code) => {
      const month = kind === 'carrier' ? levels[code] : undefined;
      return month === undefined ? [] : [{ month } as RecentMonth];
    },
  };
}

const isCurrent = (store: ScoreStore, origin = 'JFK', dest = 'LAX') =>
  Object.fromEntries(routeAirlines(origin, dest, store).map((one) => [one.carrier, one.isCurrent]));

test('an airline is current on a route with flights in the twelve months up to the newest month there', (t) => {
  const store = storeUntil({ JFKLAXAA: '2024-01', JFKLAXB6: '2024-02', JFKLAXDL: '2025-01' });
  t.deepEqual(isCurrent(store), { AA: false, B6: true, DL: true });
});

test('an airline whose routes others still fly has ended, and is current nowhere', (t) => {
  const store = storeUntil({
    JFKLAXEV: '2019-12',
    JFKLAXDL: '2025-01',
    LAXJFKEV: '2018-05',
    LAXJFKDL: '2025-01',
    // No other airline flies this route later.
    JFKAKLEV: '2019-11',
  });
  t.is(endOfAirline('EV', store), '2019-12');
  t.is(endOfAirline('DL', store), undefined);
  t.is(endOfAirline('ZZ', store), undefined);
  t.deepEqual(isCurrent(store, 'JFK', 'AKL'), { EV: false });
});

test('an airline of an old part of the history, or in the newest delay-cause table, has not ended', (t) => {
  const oldRegion = storeUntil({ JFKLAXWN: '2018-12', LAXJFKWN: '2018-12', JFKAKLDL: '2025-01' });
  t.is(endOfAirline('WN', oldRegion), undefined, 'nobody has newer flights on its routes');
  const months = { JFKLAXYV: '2022-04', JFKLAXDL: '2025-01' };
  t.is(endOfAirline('YV', storeUntil(months)), '2022-04');
  t.is(endOfAirline('YV', storeUntil(months, { YV: '2025-12' })), undefined);
  t.is(endOfAirline('YV', storeUntil(months, { YV: '2024-12' })), '2022-04', 'the table ended too');
});

test('an airline that has ended is never recommended, and is described in the past tense', (t) => {
  const store = storeUntil({ JFKLAXEV: '2019-12', JFKLAXDL: '2025-01' });
  const assessment = assessFlight(
    { origin: 'JFK', dest: 'LAX', carrier: 'EV', flightDate: '2026-12-22' },
    { ...store, flightOdds: () => -2 },
    {},
  );
  t.is(assessment.label, 'Low');
  t.is(
    buildRecommendation(assessment),
    'This airline no longer flies: its last flights on record were in December 2019.',
  );
  const names = { airline: 'ExpressJet', origin: 'New York', dest: 'Los Angeles' };
  t.regex(
    buildExplanation(assessment, names),
    /^ExpressJet no longer flies\. Our history has 1,000 flights of ExpressJet/,
  );
});

import test from 'ava';
import { computeEffectOdds } from '../../../models/effect-odds.ts';
import { seasonOf } from '../../../models/season.ts';
import { flightOddsRows } from '../../../pipelines/features/flight-odds.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { withFlightOdds } from '../../../warehouse/store/pack.ts';
import { someStoreFiles, storeFilesOf } from '../../helpers/store-files.ts';

const STATS = {
  flight_count: 10,
  completed_count: 10,
  delayed_count: 1,
  cancelled_count: 0,
  delayed_min_sum: 60,
  delayed_rate: 0.1,
  cancelled_rate: 0.01,
};
const route_carriers = [
  { origin: 'JFK', dest: 'LAX', carrier: 'AA', ...STATS },
  { origin: 'JFK', dest: 'LAX', carrier: 'DL', ...STATS },
];
const odds = (hour: number, first: number) => ({
  hour,
  log_odds: first,
  summer_log_odds: first + 2,
  winter_log_odds: first + 4,
});
const flight_odds = [odds(-1, 10), odds(6, 20), odds(-1, 30), odds(5, 40), odds(23, 50)];
const [JULY, JANUARY] = [seasonOf('2026-07-01'), seasonOf('2026-01-31')];
const JFK_LAX = { origin: 'JFK', dest: 'LAX' };

test('each airline-route has odds for all hours together and for each departure hour', (t) => {
  const { flightOdds } = openStore(storeFilesOf({ route_carriers, flight_odds }));
  const AA = { ...JFK_LAX, carrier: 'AA' };
  const DL = { ...JFK_LAX, carrier: 'DL' };
  t.is(flightOdds(AA, JULY), 12);
  t.is(flightOdds(AA, JANUARY), 14);
  t.is(flightOdds({ ...AA, crsDepHour: 6 }, JULY), 22);
  t.is(flightOdds(DL, JULY), 32);
  t.is(flightOdds({ ...DL, crsDepHour: 5 }, JANUARY), 44);
  t.is(flightOdds({ ...DL, crsDepHour: 23 }, JANUARY), 54);
});

test('between the seasons the odds are interpolated by season depth', (t) => {
  const { flightOdds } = openStore(storeFilesOf({ route_carriers, flight_odds }));
  const oddsOn = (date: string) => flightOdds({ ...JFK_LAX, carrier: 'AA' }, seasonOf(date));
  t.is(oddsOn('2026-04-15'), 10);
  t.is(oddsOn('2026-10-15'), 10);
  t.is(oddsOn('2026-05-15'), 11);
  t.is(oddsOn('2026-03-15'), 12);
});

test('hours without departures of the airline and unknown flights have no odds', (t) => {
  const { flightOdds } = openStore(storeFilesOf({ route_carriers, flight_odds }));
  t.is(flightOdds({ ...JFK_LAX, carrier: 'AA', crsDepHour: 5 }, JULY), undefined);
  t.is(flightOdds({ ...JFK_LAX, carrier: 'B6' }, JULY), undefined);
});

test('a store that was never published has no odds', (t) => {
  const { flightOdds } = openStore(storeFilesOf({ route_carriers }));
  t.is(flightOdds({ ...JFK_LAX, carrier: 'AA' }, JULY), undefined);
});

test('published odds equal computed odds', async (t) => {
  const files = await someStoreFiles();
  const withoutOdds = openStore(files);
  const withOdds = openStore(withFlightOdds(files, await flightOddsRows(withoutOdds)));
  const flights = [...withoutOdds.airlineRoutes()];
  t.is(flights.length, 2);
  for (const flight of flights) {
    for (const flightDate of [
      '2026-01-31',
      '2026-03-31',
      '2026-04-01',
      '2026-08-30',
      '2026-10-01',
    ]) {
      for (const hour of [{}, { crsDepHour: 8 }]) {
        const query = { ...flight, ...hour };
        const stored = withOdds.flightOdds(query, seasonOf(flightDate));
        const computed = computeEffectOdds({ ...query, flightDate }, withoutOdds);
        t.true(Math.abs((stored ?? 9) - computed) < 1e-6);
      }
    }
  }
});

test('other work runs while the odds of many airline-routes are computed', async (t) => {
  const many = Array.from({ length: 250 }, (_, at) => ({
    ...JFK_LAX,
    carrier: (360 + at).toString(36).toUpperCase(),
    ...STATS,
  }));
  const store = openStore(storeFilesOf({ route_carriers: many }));
  let [turns, isDone] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  t.is((await flightOddsRows(store)).length, 250);
  isDone = true;
  t.true(turns >= 2, `${turns} turns`);
});

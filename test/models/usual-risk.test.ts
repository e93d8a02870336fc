import test from 'ava';
import { assessFlight } from '../../models/score.ts';
import { usualHours, usualShare } from '../../models/usual-risk.ts';
import { expit, logit } from '../../warehouse/ground/log-odds.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { openStore } from '../../warehouse/store/open.ts';
import { someStoreFiles } from '../helpers/store-files.ts';

const DELTA = { origin: 'JFK', dest: 'LAX', carrier: 'DL' };
const AMERICAN = { ...DELTA, carrier: 'AA' };

const close = (a: number | undefined, b: number) => Math.abs((a ?? Number.NaN) - b) < 1e-12;

test('the usual share of an hour equals the statistics of a flight on such a day, without holidays', async (t) => {
  const store = openStore(await someStoreFiles());
  // Tuesdays of all months, without forecasts and events.
  const days = [
    '01-20',
    '02-24',
    '03-10',
    '04-21',
    '05-12',
    '06-09',
    '07-21',
    '08-11',
    '09-22',
    '10-20',
    '11-10',
    '12-08',
  ];
  const hours = days.map((day, at) => {
    const query = { ...DELTA, crsDepHour: 8, flightDate: `2026-${day}` };
    const usual = usualHours([DELTA], { month: at + 1, weekday: 2 }, store);
    t.true(close(usual[8]?.share, expit(assessFlight(query, store, {}).logOdds)), day);
    return usual;
  })[6];
  t.deepEqual(
    hours?.map(({ flights }) => flights > 0),
    hours?.map((_, hour) => hour === 8),
  );
});

test('airlines are weighted by flights; without a month or weekday the average is used', async (t) => {
  const store = openStore(await someStoreFiles());
  const [delta, american, both] = [[DELTA], [AMERICAN], [DELTA, AMERICAN]].map(
    (services) => usualHours(services, {}, store)[8],
  );
  const flights = (delta?.flights ?? 0) + (american?.flights ?? 0);
  t.is(both?.flights, flights);
  const expected =
    ((delta?.flights ?? 0) * (delta?.share ?? 0) +
      (american?.flights ?? 0) * (american?.share ?? 0)) /
    flights;
  t.true(close(both?.share, expected));
  t.true(close(usualShare(usualHours([DELTA, AMERICAN], {}, store)), expected));
});

test('over a whole year all months have equal weight, each as an average month', async (t) => {
  const store = openStore(await someStoreFiles());
  const months = Array.from({ length: 12 }, (_, at) => {
    const usual = usualHours([DELTA], { month: at + 1 }, store)[8];
    return expit(logit(usual?.share ?? 0) - Math.log(store.monthOdds(at + 1)));
  });
  t.true(Math.max(...months) - Math.min(...months) > 0.0001, 'seasons differ');
  t.true(close(usualHours([DELTA], {}, store)[8]?.share, sum(months) / 12));
});

test('without flights there is no usual share', async (t) => {
  const store = openStore(await someStoreFiles());
  t.is(usualShare(usualHours([{ ...DELTA, carrier: 'B6' }], {}, store)), undefined);
});

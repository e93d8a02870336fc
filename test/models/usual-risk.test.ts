import test from 'ava';
import { assessFlight } from '../../models/score.ts';
import { usualHours, usualShare } from '../../models/usual-risk.ts';
import { expit } from '../../warehouse/ground/log-odds.ts';
import { openStore } from '../../warehouse/store/open.ts';
import { someStoreFiles } from '../helpers/store-files.ts';

const DELTA = { origin: 'JFK', dest: 'LAX', carrier: 'DL' };
const AMERICAN = { ...DELTA, carrier: 'AA' };

const close = (a: number | undefined, b: number) => Math.abs((a ?? Number.NaN) - b) < 1e-12;

test('what is usual of an hour is what the statistics say of a flight on such a day, far from holidays', async (t) => {
  const store = openStore(await someStoreFiles());
  // A Tuesday in July; no forecast, no events.
  const query = { ...DELTA, crsDepHour: 8, flightDate: '2026-07-21' };
  const { logOdds } = assessFlight(query, store, {});
  const hours = usualHours([DELTA], { month: 7, weekday: 2 }, store);
  t.true(close(hours[8]?.share, expit(logOdds)));
  t.deepEqual(
    hours.map(({ flights }) => flights > 0),
    hours.map((_, hour) => hour === 8),
  );
});

test('airlines count by their flights, months and weekdays that are not named on average', async (t) => {
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

test('without flights nothing is usual', async (t) => {
  const store = openStore(await someStoreFiles());
  t.is(usualShare(usualHours([{ ...DELTA, carrier: 'B6' }], {}, store)), undefined);
});

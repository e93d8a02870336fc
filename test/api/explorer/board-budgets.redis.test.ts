import test, { type ExecutionContext } from 'ava';
import { MAX_FLIGHTS } from '../../../api/explorer/endpoint.ts';
import type { TodayData } from '../../../api/explorer/views/today/today-data.ts';
import { aStore, someStats } from '../../helpers/store.ts';
import { limitedPages } from '../helpers/limited-pages.ts';

const AIRPORTS = Array.from(
  { length: 260 },
  (_, at) => `Q${String.fromCharCode(65 + at / 20)}${String.fromCharCode(65 + (at % 20))}`,
);
const VISITOR = '203.0.113.7';
const MORNING = new Date('2026-03-10T10:00:00Z');
/** Half past eleven in New York, after the last departure of the day. */
const LATE_EVENING = new Date('2026-03-11T03:30:00Z');

const AMERICAN = { carrier: 'AA', ...someStats() };

/** A service with the boards of 260 airports in New York's time zone, each with departures to twelve airports. */
async function manyBoards(t: ExecutionContext, now: Date) {
  const live = { weather: 0 };
  const base = aStore();
  const airport = base.airport('JFK')!;
  const routes = AIRPORTS.flatMap((origin, at) =>
    Array.from({ length: 12 }, (_, next) => ({
      ...{ origin, dest: AIRPORTS[(at + 1 + next) % AIRPORTS.length] as string, carrier: 'AA' },
    })),
  );
  const store = {
    ...base,
    airport: (iata: string) => (AIRPORTS.includes(iata) ? { ...airport, iata } : undefined),
    airlineRoutes: () => routes,
    route: () => someStats(),
    routeCarrier: () => AMERICAN,
    carriersOnRoute: () => [AMERICAN],
    recordMonths: () => ({ first: '2025-01', last: '2026-02' }),
    departureHours: () =>
      Float32Array.from({ length: 24 }, (_, hour) => (hour === 8 || hour === 18 ? 50 : 0)),
  };
  const pages = await limitedPages(t, {
    stores: { current: () => store },
    now: () => now,
    liveInputs: () => ({
      weatherDep: { score: live.weather, condition: 'Rain', basis: 'forecast' },
    }),
    forecastsAt: () => String(live.weather),
  });
  return { ...pages, live, boardOf: (iata: string) => `/explorer/today?airport=${iata}` };
}

test('a script that reads the boards of many airports late in the evening gets at most 2,000 a day', async (t) => {
  const { get, boardOf, live, flightsOf, endShortWindows } = await manyBoards(t, LATE_EVENING);
  const one = await get(boardOf('QAA'), '203.0.113.8');
  const { hours, risks } = JSON.parse(one.payload) as TodayData;
  t.deepEqual([hours.length, risks.length], [2, 0]);
  t.is(await flightsOf('203.0.113.8'), 1);
  let [boards, refused] = [0, 0];
  // Each round, a new forecast changes the averages of all boards.
  for (let round = 0; round < 9; round += 1) {
    live.weather = (3 + round) / 12;
    for (const iata of AIRPORTS) {
      const { statusCode } = await get(boardOf(iata), VISITOR);
      if (statusCode === 200) boards += 1;
      else refused += 1;
      if (boards % 50 === 0) await endShortWindows();
    }
  }
  t.true(refused > 0);
  t.true(boards > 1_900 && boards <= 2_000, String(boards));
});

test('twenty people behind one address who open ten different full boards each are never refused', async (t) => {
  const { get, boardOf, flightsOf } = await manyBoards(t, MORNING);
  const refusals: string[] = [];
  for (const iata of AIRPORTS.slice(0, 20 * 10)) {
    const { statusCode, payload } = await get(boardOf(iata), VISITOR);
    if (statusCode !== 200) refusals.push(iata);
    else t.is((JSON.parse(payload) as TodayData).risks.length, MAX_FLIGHTS);
  }
  t.deepEqual(refusals, []);
  t.is(await flightsOf(VISITOR), 2_000);
});

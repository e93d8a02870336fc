import test from 'ava';
import { flightEndpoint } from '../../../api/explorer/endpoints/flight.ts';
import { readTypedNumber } from '../../../api/explorer/endpoints/numbered-flight.ts';
import { searchEndpoint } from '../../../api/explorer/endpoints/search.ts';
import type { ChoicesData } from '../../../api/explorer/views/choice.ts';
import { flightSource } from '../../../api/explorer/views/flight/address.ts';
import type { FlightData } from '../../../api/explorer/views/flight/flight-data.ts';
import type { NumberSchedule } from '../../../warehouse/store/number-schedule.ts';
import { aStore } from '../../helpers/store.ts';
import { someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createPageGet } from '../helpers/page-get.ts';

const OUT = { origin: 'JFK', dest: 'LAX', carrier: 'AA', depTime: '08:15', flightCount: 14 };
const BACK = { origin: 'LAX', dest: 'JFK', carrier: 'AA', flightCount: 9 };
const SCHEDULES: Record<string, NumberSchedule> = {
  AA1: { month: '2025-02', legs: [OUT] },
  AA2: { month: '2025-02', legs: [OUT, BACK] },
};

const store = {
  ...aStore(),
  flightNumbers: {
    find: (airline: string, number: number) => SCHEDULES[airline + number],
    onRoute: () => [],
    newestMonth: '2025-02',
  },
};
const deps = someDeps({ ...explorerDeps(), stores: { current: () => store } });

const inputOf = async (query: Record<string, string>) => {
  const { score } = (await flightEndpoint.answer(
    { ...query, date: '2026-03-20' },
    deps,
  )) as FlightData;
  const { origin, destination, airline, dep_time } = score.input;
  return [origin, destination, airline, dep_time];
};

test('a flight number in the field of the departure airport stands for its flight', async (t) => {
  const flight = ['JFK', 'LAX', 'AA', '08:15'];
  t.deepEqual(await inputOf({ origin: 'aa 1' }), flight);
  // The other fields have the values of the former flight.
  const former = { dest: 'AKL', airline: 'DL', dep_time: '17:30' };
  t.deepEqual(await inputOf({ origin: 'AA1', ...former }), flight);
  t.deepEqual(await inputOf({ flight: 'AA1' }), flight);
  t.is(flightSource('AA1-2026-03-20', null), '/explorer/flight?flight=AA1&date=2026-03-20');
  t.is(
    flightSource('AA1-JFK-2026-03-20T17:30', null),
    '/explorer/flight?flight=AA1&origin=JFK&date=2026-03-20&dep_time=17%3A30',
  );
});

test('a number with several legs needs a leg, which a suggestion or a destination names', async (t) => {
  await t.throwsAsync(inputOf({ origin: 'AA2' }), { message: /2 legs: JFK-LAX, LAX-JFK/ });
  const back = ['LAX', 'JFK', 'AA', '17:30'];
  t.deepEqual(await inputOf({ origin: 'AA2 lax-jfk', dep_time: '17:30' }), back);
  t.deepEqual(await inputOf({ origin: 'AA2', dest: 'JFK', dep_time: '17:30' }), back);
  await t.throwsAsync(inputOf({ origin: 'AA9' }), { message: /AA9 is not in the schedules/ });
});

test('the search suggests the legs of a number with the age of the schedule', async (t) => {
  const search = async (q: string) => {
    const { choices } = (await searchEndpoint.answer({ q, kind: 'airports' }, deps)) as ChoicesData;
    return choices.map(({ value, name, detail }) => [value, name, detail]);
  };
  t.deepEqual(await search('aa0001'), [
    [
      'AA1',
      'New York JFK to Los Angeles LAX',
      'American Airlines, 08:15, schedule of February 2025',
    ],
  ]);
  t.deepEqual(
    (await search('AA2')).map(([value]) => value),
    ['AA2 JFK-LAX', 'AA2 LAX-JFK'],
  );
  t.deepEqual(await search('AA9'), []);
});

test('a name or code of a place is never read as a flight number', (t) => {
  for (const text of ['', 'JFK', 'new york', '12', '1234', 'LAX 2', 'A1', 'AA12345']) {
    t.is(readTypedNumber(text), undefined, text);
  }
});

test('a comparison, a trip and the better options accept flight numbers', async (t) => {
  const get = createPageGet(deps);
  const redirectOf = async (url: string) => (await get(url)).headers.location;
  t.is(
    await redirectOf(
      '/compare?origin1=aa+1&date1=2026-03-20&origin2=JFK&dest2=LAX&date2=2026-03-21',
    ),
    '/compare?flights=JFK-LAX-AA-2026-03-20T08:15,JFK-LAX-AA-2026-03-21',
  );
  t.is(
    await redirectOf('/compare?flights=AA1-2026-03-20'),
    '/compare?flights=JFK-LAX-AA-2026-03-20T08:15',
  );
  t.is(
    await redirectOf(
      '/trips?origin1=AA1&date1=2026-03-20&origin2=LAX&dest2=JFK&date2=2026-03-20&dep_time2=15:00',
    ),
    '/trips?legs=JFK-LAX-AA-2026-03-20T08:15,LAX-JFK-AA-2026-03-20T15:00',
  );
  t.is(
    await redirectOf('/flights/AA1-2026-03-20/alternatives'),
    '/flights/JFK-LAX-AA-2026-03-20/alternatives?dep_time=08:15',
  );
  const unknown = (await get('/compare?origin1=AA999&date1=2026-03-20')).payload;
  t.regex(unknown, /Flight 1: .*AA999/);
  t.true(unknown.includes('name="origin1" value="AA999"'));
});

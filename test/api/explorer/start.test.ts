import test from 'ava';
import { interfaceEndpoint } from '../../../api/explorer/endpoints/interface.ts';
import type { InterfaceData } from '../../../api/explorer/views/interface/interface-data.ts';
import type { StartData } from '../../../api/explorer/views/start/start-data.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { someDeps } from '../helpers/app.ts';
import { someStats } from '../../helpers/store.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';

const ROUTES = ['AAA-BBB', 'CCC-DDD', 'EEE-FFF', 'GGG-HHH'].map((pair) => {
  const [origin = '', dest = ''] = pair.split('-');
  return { origin, dest, carrier: 'DL' };
});

/** Routes with as many departures in each of these hours. */
const storeWith = (hours: readonly number[] | undefined): ScoreStore => ({
  ...PLACES_STORE,
  airlineRoutes: () => ROUTES,
  brand: () => undefined,
  brandsOnRoute: () => [],
  carriersOnRoute: () => [{ carrier: 'DL', ...someStats({ flightCount: 1_000 }) }],
  routeCarrier: () => someStats({ flightCount: 1_000 }),
  departureHours: () =>
    hours && Float32Array.from({ length: 24 }, (_, hour) => (hours.includes(hour) ? 100 : 0)),
});

const startOf = async (store: ScoreStore) => {
  const deps = { ...explorerDeps(), stores: { current: () => store } };
  const data = (await createJsonGet(deps)('/explorer/start')) as StartData;
  return { data, text: textOf((await createPageGet(deps)('/')).payload) };
};

test('the flights of the first page are spread from morning to evening', async (t) => {
  const allDay = await startOf(storeWith(Array.from({ length: 20 }, (_, at) => at + 4)));
  t.deepEqual(
    allDay.data.departures.map(({ hour }) => hour),
    [6, 11, 16, 21],
  );
  t.true(allDay.text.includes('16:00 EEE → FFF'));
  const evening = await startOf(storeWith([18, 20]));
  t.deepEqual(
    evening.data.departures.map(({ hour }) => hour),
    [18, 18, 18, 20],
  );
});

test('without hours of departure, the first page scores the whole day', async (t) => {
  const { data, text } = await startOf(storeWith(undefined));
  t.deepEqual(new Set(data.departures.map(({ hour }) => hour)), new Set([null]));
  t.true(text.includes('AAA → BBB'));
});

test('the answers in /docs are about the flights of their requests', (t) => {
  const now = () => new Date('2026-11-23T12:00:00Z');
  const deps = someDeps({ ...explorerDeps(), now });
  const { groups } = interfaceEndpoint.answer({}, deps) as InterfaceData;
  const score = groups.flatMap(({ calls }) => calls).find(({ id }) => id === 'score');
  t.is(score?.parameters.find(({ name }) => name === 'date')?.example, '2027-03-20');
  t.is(JSON.parse(score?.body.example ?? '{}').input.flight_date, '2027-03-20');
});

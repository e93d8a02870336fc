import test from 'ava';
import { RequestError } from '../../../api/errors.ts';
import { otherPairs, pairOfTexts } from '../../../api/explorer/endpoints/named-airports.ts';
import type { CarrierStats } from '../../../warehouse/store/types.ts';
import { aStore, someStats } from '../../helpers/store.ts';

const carrier = (code: string): CarrierStats => ({ ...someStats(), carrier: code });

const place = (iata: string, city: string) => ({ ...aStore().airport('JFK')!, iata, city });

const STORE = aStore({
  airports: [
    place('JFK', 'New York'),
    place('LGA', 'New York'),
    place('EWR', 'Newark'),
    place('SFO', 'San Francisco'),
    place('OAK', 'Oakland'),
    place('SJC', 'San Jose'),
  ],
  carriers: { 'SFO-EWR': [carrier('UA')], 'SFO-JFK': [carrier('DL')], 'OAK-JFK': [carrier('B6')] },
});

const pairOf = async (origin: string, dest: string, airline?: string) => {
  const pair = await pairOfTexts({ origin, dest }, airline, STORE);
  return `${pair.origin}-${pair.dest}`;
};

test('the name or code of a city stands for all its airports, and the airline decides', async (t) => {
  t.is(await pairOf('san francisco', 'new york', 'UA'), 'SFO-EWR');
  t.is(await pairOf('San Fran', 'new york', 'DL'), 'SFO-JFK');
  t.is(await pairOf('sfo', 'NYC', 'UA'), 'SFO-EWR');
  t.is(await pairOf('san francisco', 'nyc', 'B6'), 'OAK-JFK');
});

test('the name of a smaller city or the code of an airport stands for one airport', async (t) => {
  t.is(await pairOf('oakland', 'nyc', 'UA'), 'OAK-JFK');
  t.is(await pairOf('SFO', 'LGA', 'UA'), 'SFO-LGA');
  t.is(await pairOf('sfo', 'newark', 'DL'), 'SFO-EWR');
});

test('other pairs of airports are offered if they have flights', (t) => {
  t.deepEqual(
    otherPairs({ origin: 'SFO', dest: 'EWR' }, 'UA', STORE).map((one) => one.origin + one.dest),
    ['SFOJFK', 'OAKJFK'],
  );
});

test('unknown places, and two names of the same place, are refused', async (t) => {
  for (const [origin, dest, param] of [
    ['Atlantis', 'JFK', 'origin'],
    ['JFK', 'JFK', 'dest'],
    ['nyc', 'new york', 'dest'],
    ['new york', 'JFK', 'dest'],
    ['LGA', 'nyc', 'dest'],
  ] as const) {
    const error = await t.throwsAsync(pairOf(origin, dest), { instanceOf: RequestError });
    t.is(error?.param, param);
  }
});

import test from 'ava';
import { createSearch } from '../../../api/explorer/endpoints/text-search.ts';

const entry = (name: string, weight = 3) => ({ item: name, weight, codes: [], names: [name] });

test('a name with a superfluous space is found, unless its words match another item', async (t) => {
  const search = await createSearch([
    entry('JetBlue Airways'),
    entry('SkyWest Airlines'),
    entry('Blue Jet Charter', 1),
    entry('Sky West Museum', 0.1),
  ]);
  t.deepEqual(search('sky west'), ['SkyWest Airlines']);
  t.deepEqual(search('blue jet'), ['Blue Jet Charter']);
  const others = await createSearch([entry('JetBlue Airways'), entry('United Airlines')]);
  t.deepEqual(others('jet blue'), ['JetBlue Airways']);
  t.deepEqual(others('jet blues'), []);
});

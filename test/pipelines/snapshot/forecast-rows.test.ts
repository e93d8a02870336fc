import test from 'ava';
import { forecastMonth } from '../../../pipelines/snapshot/forecast-rows.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';

test('a route that the API scores with the record of another provider has no row of this record', async (t) => {
  const store = openStore(await someStoreFiles());
  const assessed = async (whole: ScoreStore) => {
    let count = 0;
    const assess = () => {
      count += 1;
      return Promise.resolve(undefined);
    };
    await forecastMonth('2026-12', { store: whole, assess, mayShip: (name) => name === 'bts' });
    return count;
  };
  t.true((await assessed(store)) > 0);
  const other: ScoreStore = { ...store, manifest: { ...store.manifest, provider: 'caa' } };
  t.is(await assessed({ ...store, parts: [other], forRoute: () => other }), 0);
});

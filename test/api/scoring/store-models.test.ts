import test from 'ava';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { withModel } from '../../../warehouse/store/model.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { OURS, someModel } from '../../models/helpers/model.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { keptLog } from '../helpers/app.ts';

const aRow = new Float32Array(OURS.features.length);

test('each store has its own model', async (t) => {
  const { log, text } = keptLog();
  const models = createStoreModels(log);
  const bare = await someStoreFiles();
  const stores = [0.2, 0.8].map((probability) => {
    const bytes = someModel({ probability });
    const files = withModel(bare, { version: 'v', bytes, contract: OURS.contract });
    const store = openStore(files);
    t.true(models.prepare(store, files));
    return store;
  });
  t.deepEqual(
    stores.map((store) => Math.round(10 * (models.of(store)?.predict(aRow)[0] ?? 0))),
    [2, 8],
  );
  t.is(text(), '');
});

test('a store without a model has none, and nothing is logged', async (t) => {
  const { log, text } = keptLog();
  const models = createStoreModels(log);
  const files = await someStoreFiles();
  const store = openStore(files);
  t.true(models.prepare(store, files));
  t.is(models.of(store), undefined);
  t.is(text(), '');
});

import test from 'ava';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { withModel } from '../../../warehouse/store/model.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { CURRENT_CONTRACT, someModel } from '../../models/helpers/model.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { captureLog } from '../helpers/app.ts';

const aRow = new Float32Array(CURRENT_CONTRACT.features.length);

test('each store has its own model', async (t) => {
  const { log, text } = captureLog();
  const models = createStoreModels(log);
  const bare = await someStoreFiles();
  const openStoreWith = async (probability: number) => {
    const bytes = someModel({ probability });
    const files = withModel(bare, { version: 'v', bytes, contract: CURRENT_CONTRACT.contract });
    const store = openStore(files);
    t.true(await models.prepare(store, files));
    return store;
  };
  const stores = [await openStoreWith(0.2), await openStoreWith(0.8)];
  t.deepEqual(
    stores.map((store) => Math.round(10 * (models.modelFor(store)?.predict(aRow)[0] ?? 0))),
    [2, 8],
  );
  t.is(text(), '');
});

test('a store without a model is used, and nothing is logged', async (t) => {
  const { log, text } = captureLog();
  const models = createStoreModels(log);
  const files = await someStoreFiles();
  const store = openStore(files);
  t.true(await models.prepare(store, files));
  t.is(models.modelFor(store), undefined);
  t.is(text(), '');
});

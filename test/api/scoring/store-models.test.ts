import test from 'ava';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { ModelAwayError } from '../../../models/onnx/errors.ts';
import { withModel } from '../../../warehouse/store/model.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { until } from '../../jobs/helpers/command.ts';
import { OURS, someModel } from '../../models/helpers/model.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { keptLog } from '../helpers/app.ts';

const aRow = new Float32Array(OURS.features.length);

test('the model of a store that serves no more is closed in the end, and only that', async (t) => {
  const { log, text } = keptLog();
  const models = createStoreModels(log, 10);
  const model = { version: 'v', bytes: someModel(), contract: OURS.contract };
  const files = withModel(await someStoreFiles(), model);
  const [old, next] = [openStore(files), openStore(files)];
  t.true(await models.prepare(old, files));
  t.true(await models.prepare(next, files));
  const held = models.of(old);
  models.retire(old);
  await until('it is closed', () => models.of(old) === undefined);
  await t.throwsAsync(async () => held?.predict(aRow), { instanceOf: ModelAwayError });
  t.is(Math.round(10 * ((await models.of(next)?.predict(aRow))?.[0] ?? 0)), 4);
  await models.close();
  t.is(models.of(next), undefined);
  t.is(text(), '');
});

test('a store without a model has none, and nothing is logged', async (t) => {
  const { log, text } = keptLog();
  const models = createStoreModels(log);
  const files = await someStoreFiles();
  const store = openStore(files);
  t.true(await models.prepare(store, files));
  t.is(models.of(store), undefined);
  t.is(text(), '');
});

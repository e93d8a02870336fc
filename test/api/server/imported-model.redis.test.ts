import { readFile } from 'node:fs/promises';
import test from 'ava';
import { Redis } from 'ioredis';
import type { ModelBody } from '../../../api/schemas/model.ts';
import { withModel } from '../../../warehouse/store/model.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { anImportedFile } from '../../models/helpers/foreign.ts';
import { CURRENT_CONTRACT, someModel } from '../../models/helpers/model.ts';
import { until } from '../../jobs/helpers/command.ts';
import { startServingApi } from '../helpers/clustered.ts';
import { aKey, aKeystore } from '../helpers/keystore.ts';

test('a process loads ONNX Runtime only for a store with an imported model', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const { keys } = await aKeystore(t, url);
  const { apiKey } = await aKey(keys, 40, new Date());
  const { contract } = CURRENT_CONTRACT;
  const own = { version: 'own', bytes: someModel({ probability: 0.25 }), contract };
  await saveToRedis(redis, withModel(await someStoreFiles(), own));
  const { message, pids, child } = await startServingApi(t, url, 1);
  const [pid = 0] = pids('store loaded');
  const hasRuntime = async () =>
    (await readFile(`/proc/${pid}/maps`, 'utf8')).includes('onnxruntime');
  const card = async () => {
    const answer = await fetch(`http://127.0.0.1:${message.port}/api/model?api_key=${apiKey}`);
    return (await answer.json()) as ModelBody;
  };
  t.like(await card(), { version: 'own', imported: null });
  t.false(await hasRuntime());

  const builtAt = '2026-11-02T02:30:00Z';
  const imported = { version: 'imp', bytes: anImportedFile(), contract, fallback: own };
  await saveToRedis(redis, withModel(await someStoreFiles({ builtAt }), imported));
  await until('the imported model is served', async () => (await card()).version === 'imp');
  t.like(await card(), { imported: { state: 'serving', failures: 0 } });
  t.true(await hasRuntime());

  const ended = new Promise((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  child.kill('SIGTERM');
  t.is(await ended, 0, 'the thread does not abort the process');
});

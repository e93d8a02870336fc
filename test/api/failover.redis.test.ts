import test from 'ava';
import { serve } from '../../api/server/serve.ts';
import { startSentinels } from '../../bench/stage/sentinels.ts';
import { requestStep } from '../../jobs/queue/requests.ts';
import { connectOnce } from '../../jobs/processes/redis-client.ts';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import { someStoreFiles } from '../helpers/store-files.ts';
import { until } from '../jobs/helpers/command.ts';
import { queueWorld } from '../jobs/helpers/queue-world.ts';
import { tempDir } from '../jobs/helpers/temp-dir.ts';

test('killing the primary under load loses no acknowledged key, and calls and jobs continue with the replica', async (t) => {
  const stage = await startSentinels();
  t.teardown(stage.stop);
  const redis = openRedisClient(stage.url);
  redis.on('error', () => undefined);
  t.teardown(() => redis.disconnect());
  await saveToRedis(redis, await someStoreFiles());
  const keystore = { deadlineMs: 10_000, replicas: 1 };
  const admin = { name: 'Operations', email: 'ops@example.com', monthlyLimit: 1_000_000 };
  const adminKey = await createKeystore(redis, keystore).create(admin, 'live', new Date(), true);
  const plain = {
    port: 0,
    host: '127.0.0.1',
    workers: 1,
    isExplainEnabled: false,
    requestLinesPerS: 0,
  };
  const dataDir = await tempDir(t);
  const settings = { ...plain, redisUrl: stage.url, replicas: 1, dataDir, logLevel: 'silent' };
  const api = await serve(settings);
  t.teardown(api.close);
  const world = await queueWorld(t, stage);
  let builds = 0;
  await world.work({
    buildFeatures: async () => ({ rows: { builds: (builds += 1) }, checks: [] }),
  });
  await world.follow(await requestStep(world.queues, 'build-features'));

  const get = async (path: string, query: Record<string, string>) => {
    const address = `http://127.0.0.1:${api.port}${path}?${new URLSearchParams(query)}`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(60_000) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  const loaded = new AbortController();
  const load = (async () => {
    for (let n = 0; !loaded.signal.aborted; n += 1) {
      const query = { api_key: adminKey.apiKey, name: `Shop ${n}`, email: 'shop@example.com' };
      const { status, body } = await get('/api/keys/create', query);
      statuses.add(status);
      if (status === 200) acknowledged.push(String(body['api_key']));
    }
  })();
  await until('keys are created', () => acknowledged.length > 20);
  await stage.harmPrimary('kill');
  const before = acknowledged.length;
  await until('the outage is noticed', () => statuses.has(503));
  // The new primary has no replica, so no new key is acknowledged until the repair. Calls are still answered.
  const valid = () => get('/api/keys/validate', { api_key: adminKey.apiKey });
  await until('calls continue', async () => (await valid()).status === 200);
  await world.follow(await requestStep(world.queues, 'build-features'));
  t.is(builds, 2);
  t.true(acknowledged.length <= before + 1);
  await stage.repair();
  await until('keys are created again', () => acknowledged.length > before + 5);
  loaded.abort();
  await load;
  t.deepEqual(
    [...statuses].toSorted((a, b) => a - b),
    [200, 503],
  );
  const answers = await Promise.all(
    acknowledged.map((api_key) => get('/api/keys/validate', { api_key })),
  );
  t.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  );
  const once = await connectOnce(stage.url, 'test');
  t.is(await once.ping(), 'PONG');
  once.disconnect();
});

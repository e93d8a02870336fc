import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { provideDemoKey } from '../../../../jobs/cli/run/demo-key.ts';
import { connectOnce } from '../../../../jobs/processes/redis-client.ts';
import { hashKey } from '../../../../warehouse/keyring/format.ts';
import { createKeystore } from '../../../../warehouse/keyring/keystore.ts';
import { redisKeys } from '../../../../warehouse/keyring/layout.ts';
import { createKeyAdmin } from '../../../../warehouse/keyring/key-admin.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

/** A data folder with a Redis, and a clock that advances one minute per call. */
async function aStart(t: ExecutionContext) {
  const redis = await borrowRedis((stop) => t.teardown(stop));
  const dataDir = await tempDir(t);
  let minute = 0;
  const now = () => new Date(Date.UTC(2026, 2, 10, 14, (minute += 1)));
  const made = (redisUrl?: string) =>
    provideDemoKey({ config: { dataDir, redisUrl }, now }, redis.url);
  const client = await connectOnce(redis.url, 'demo-key-test');
  t.teardown(() => client.disconnect());
  const admin = createKeyAdmin(client);
  const states = async () =>
    (await admin.list(now())).map(({ name, prefix, state }) => [name, prefix, state]);
  return { redis, client, admin, now, made, states, lose: () => rm(join(dataDir, 'demo-key')) };
}

test('a demo key whose file is lost, as after restoring a backup, is replaced and expires', async (t) => {
  const { redis, made, states, lose } = await aStart(t);
  const first = await made();
  t.is(await made(), first);
  await lose();
  const second = await made();
  t.deepEqual(await states(), [
    ['demo of make run', first.slice(0, 14), 'expired'],
    ['demo of make run', second.slice(0, 14), 'active'],
  ]);
  // With REDIS_URL, other services may share the Redis and use the former key. The former key therefore stays active.
  await lose();
  await made(redis.url);
  t.is((await states()).filter(([, , state]) => state === 'active').length, 2);
});

test("other accounts' keys and the successor of a rotated demo key are not replaced", async (t) => {
  const { client, admin, now, made, states, lose } = await aStart(t);
  const keys = createKeystore(client, { deadlineMs: 60_000 });
  const theirs = { name: 'demo', email: 'dev@acme.example', monthlyLimit: 5 };
  const other = await keys.create(theirs, 'test', now());
  const first = await made();
  await admin.rotate(first.slice(0, 14), now(), now());
  const second = await made();
  // Keys from a backup have no e-mail.
  for (const { apiKey } of [other, { apiKey: second }]) {
    await client.hdel(redisKeys.key(hashKey(apiKey)), 'email');
  }
  await lose();
  await made();
  const isActive = new Map((await states()).map(([, prefix, state]) => [prefix, state]));
  t.is(isActive.get(other.prefix), 'active');
  t.is(isActive.get(second.slice(0, 14)), 'expired');
  t.is([...isActive.values()].filter((state) => state === 'active').length, 3);
});

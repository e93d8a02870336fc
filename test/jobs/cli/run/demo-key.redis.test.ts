import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { demoKey } from '../../../../jobs/cli/run/demo-key.ts';
import { connectOnce } from '../../../../jobs/processes/redis-client.ts';
import { createKeyOffice } from '../../../../warehouse/keyring/office.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

test('a demo key whose file is lost, as after a backup is restored, is replaced and works no more', async (t) => {
  const redis = await borrowRedis((stop) => t.teardown(stop));
  const dataDir = await tempDir(t);
  let minute = 0;
  const now = () => new Date(Date.UTC(2026, 2, 10, 14, (minute += 1)));
  const made = (redisUrl?: string) => demoKey({ config: { dataDir, redisUrl }, now }, redis.url);
  const first = await made();
  t.is(await made(), first);
  await rm(join(dataDir, 'demo-key'));
  const second = await made();
  const client = await connectOnce(redis.url, 'demo-key-test');
  t.teardown(() => client.disconnect());
  const office = createKeyOffice(client);
  const states = async () =>
    (await office.list(now())).map(({ name, prefix, state }) => [name, prefix, state]);
  t.deepEqual(await states(), [
    ['demo', first.slice(0, 14), 'expired'],
    ['demo', second.slice(0, 14), 'active'],
  ]);
  // One that is given may be shared, and the key in use elsewhere.
  await rm(join(dataDir, 'demo-key'));
  await made(redis.url);
  t.is((await states()).filter(([, , state]) => state === 'active').length, 2);
});

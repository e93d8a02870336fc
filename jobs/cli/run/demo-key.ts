import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import {
  createKeystore,
  type IssuedKey,
  type Keystore,
} from '../../../warehouse/keyring/keystore.ts';
import { redisKeys } from '../../../warehouse/keyring/layout.ts';
import type { ListedKey } from '../../../warehouse/keyring/listed-keys.ts';
import { createKeyOffice } from '../../../warehouse/keyring/office.ts';
import type { JobsConfig } from '../../config.ts';
import { connectOnce } from '../../processes/redis-client.ts';

/** A name that is given to no other key, and one no mail can reach. */
const DEMO_KEY = { name: 'demo of make run', email: 'demo@headwind.example', monthlyLimit: 1_000 };
const KEYS_DEADLINE_MS = 5_000;

/**
 * A working test key, kept in the data folder for the next start. Where that file is lost, as backups have it not, the key takes the
 * place of the one before, whose secret nobody has any more.
 */
export async function demoKey(
  { config, now }: { config: Pick<JobsConfig, 'dataDir' | 'redisUrl'>; now: () => Date },
  redisUrl: string,
): Promise<string> {
  const redis = await connectOnce(redisUrl, `headwind-demo-key-${process.pid}`);
  try {
    const keys = createKeystore(redis, { deadlineMs: KEYS_DEADLINE_MS });
    const file = join(config.dataDir, 'demo-key');
    const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
    if (await isValid(keys, kept, now())) return kept;
    // A key that ended was switched off or rotated by somebody, who is left alone with what it was rotated to. A Redis that was
    // given may be that of other machines, whose demo keys are in use.
    const isLost = kept === '' && config.redisUrl === undefined;
    const replaced = isLost && (await replaceLost(redis, now()));
    const { apiKey } = replaced || (await keys.create(DEMO_KEY, 'test', now()));
    await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
    // The mode above is for a new file only.
    await chmod(file, 0o600);
    return apiKey;
  } finally {
    redis.disconnect();
  }
}

/** The key that now takes the place of the newest demo key; undefined where there is none to replace. */
async function replaceLost(redis: Redis, at: Date): Promise<IssuedKey | undefined> {
  const office = createKeyOffice(redis);
  const newestFirst = (await office.list(at)).toSorted((a, b) =>
    a.createdAt < b.createdAt ? 1 : -1,
  );
  for (const key of newestFirst) {
    if (key.state !== 'active' || !(await isDemoKey(redis, key))) continue;
    const next = await office.rotate(key.prefix, at, at);
    return next && 'apiKey' in next ? next : undefined;
  }
  return undefined;
}

/** Whether `make run` made the key: by its address or, as a restored backup has no addresses, by its name. */
async function isDemoKey(redis: Redis, { prefix, name, account }: ListedKey): Promise<boolean> {
  if (!prefix.startsWith('hw_test_')) return false;
  const hash = await redis.get(redisKeys.prefix(account));
  const email = hash === null ? null : await redis.hget(redisKeys.key(hash), 'email');
  return email ? email === DEMO_KEY.email : name === DEMO_KEY.name;
}

async function isValid(keys: Pick<Keystore, 'admit'>, key: string, now: Date): Promise<boolean> {
  return (await keys.admit(key, 0, now)).verdict !== 'invalid';
}

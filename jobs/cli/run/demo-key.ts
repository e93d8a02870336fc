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
import { createKeyAdmin } from '../../../warehouse/keyring/key-admin.ts';
import type { JobsConfig } from '../../config.ts';
import { connectOnce } from '../../processes/redis-client.ts';

/** Name and address of the demo key. No other key has this name, and the address cannot receive mail. */
const DEMO_KEY = { name: 'demo of make run', email: 'demo@headwind.example', monthlyLimit: 1_000 };
const KEYS_DEADLINE_MS = 5_000;

/**
 * Returns a working test key and saves the key in the data folder for the next start. Backups do not contain the saved
 * key. If the saved key is lost, rotates the former demo key, because the former secret is lost too.
 */
export async function provideDemoKey(
  { config, now }: { config: Pick<JobsConfig, 'dataDir' | 'redisUrl'>; now: () => Date },
  redisUrl: string,
): Promise<string> {
  const redis = await connectOnce(redisUrl, `headwind-demo-key-${process.pid}`);
  try {
    const keys = createKeystore(redis, { deadlineMs: KEYS_DEADLINE_MS });
    const file = join(config.dataDir, 'demo-key');
    const saved = (await readFile(file, 'utf8').catch(() => '')).trim();
    if (await isValid(keys, saved, now())) return saved;
    // If a saved key no longer works, an operator has deactivated or rotated it, so no new demo key replaces it. A
    // Redis from REDIS_URL may serve other machines that still use their demo keys, so no demo key is rotated there.
    const isLost = saved === '' && config.redisUrl === undefined;
    const successor = isLost && (await replaceLost(redis, now()));
    const { apiKey } = successor || (await keys.create(DEMO_KEY, 'test', now()));
    await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
    // Set the mode again, because `mode` above applies only to a new file.
    await chmod(file, 0o600);
    return apiKey;
  } finally {
    redis.disconnect();
  }
}

/** Rotates the newest active demo key and returns its successor; undefined if there is no such key. */
async function replaceLost(redis: Redis, at: Date): Promise<IssuedKey | undefined> {
  const admin = createKeyAdmin(redis);
  const newestFirst = (await admin.list(at)).toSorted((a, b) =>
    a.createdAt < b.createdAt ? 1 : -1,
  );
  for (const key of newestFirst) {
    if (key.state !== 'active' || !(await isDemoKey(redis, key))) continue;
    const next = await admin.rotate(key.prefix, at, at);
    return next && 'apiKey' in next ? next : undefined;
  }
  return undefined;
}

/**
 * Returns whether `make run` created the key. Checks the key's address or, if a restored backup has no addresses, the
 * key's name.
 */
async function isDemoKey(redis: Redis, { prefix, name, account }: ListedKey): Promise<boolean> {
  if (!prefix.startsWith('hw_test_')) return false;
  const hash = await redis.get(redisKeys.prefix(account));
  const email = hash === null ? null : await redis.hget(redisKeys.key(hash), 'email');
  return email ? email === DEMO_KEY.email : name === DEMO_KEY.name;
}

async function isValid(keys: Pick<Keystore, 'admit'>, key: string, now: Date): Promise<boolean> {
  return (await keys.admit(key, 0, now)).verdict !== 'invalid';
}

import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createKeystore,
  type IssuedKey,
  type Keystore,
} from '../../../warehouse/keyring/keystore.ts';
import { createKeyOffice, type KeyOffice } from '../../../warehouse/keyring/office.ts';
import type { JobsConfig } from '../../config.ts';
import { connectOnce } from '../../processes/redis-client.ts';

/** A name no mail can reach. */
const DEMO_KEY = { name: 'demo', email: 'demo@headwind.example', monthlyLimit: 1_000 };
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
    const office = createKeyOffice(redis);
    // A Redis that was given may be that of other machines, whose demo keys are in use.
    const replaced = config.redisUrl === undefined && (await replaceLost(office, now()));
    const { apiKey } = replaced || (await keys.create(DEMO_KEY, 'test', now()));
    await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
    // The mode above is for a new file only.
    await chmod(file, 0o600);
    return apiKey;
  } finally {
    redis.disconnect();
  }
}

/** The key that now takes the place of a demo key; undefined where there is none to replace. */
async function replaceLost(office: KeyOffice, at: Date): Promise<IssuedKey | undefined> {
  const lost = (await office.list(at)).find(
    ({ name, prefix, state }) =>
      name === DEMO_KEY.name && prefix.startsWith('hw_test_') && state === 'active',
  );
  const next = lost && (await office.rotate(lost.prefix, at, at));
  return next && 'apiKey' in next ? next : undefined;
}

async function isValid(keys: Pick<Keystore, 'admit'>, key: string, now: Date): Promise<boolean> {
  return (await keys.admit(key, 0, now)).verdict !== 'invalid';
}

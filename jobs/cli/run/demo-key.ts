import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeystore, type Keystore } from '../../../warehouse/keyring/keystore.ts';
import type { CommandContext } from '../context.ts';
import { connectOnce } from '../../processes/redis-client.ts';

/** A name no mail can reach. */
const DEMO_KEY = { name: 'demo', email: 'demo@headwind.example', monthlyLimit: 1_000 };
const KEYS_DEADLINE_MS = 5_000;

/** A working test key, kept in the data folder for the next start. */
export async function demoKey(
  { config, now }: Pick<CommandContext, 'config' | 'now'>,
  redisUrl: string,
): Promise<string> {
  const redis = await connectOnce(redisUrl, `headwind-demo-key-${process.pid}`);
  try {
    const keys = createKeystore(redis, { deadlineMs: KEYS_DEADLINE_MS });
    const file = join(config.dataDir, 'demo-key');
    const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
    if (await isValid(keys, kept, now())) return kept;
    const { apiKey } = await keys.create(DEMO_KEY, 'test', now());
    await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
    // The mode above is for a new file only.
    await chmod(file, 0o600);
    return apiKey;
  } finally {
    redis.disconnect();
  }
}

async function isValid(keys: Pick<Keystore, 'admit'>, key: string, now: Date): Promise<boolean> {
  return (await keys.admit(key, 0, now)).verdict !== 'invalid';
}

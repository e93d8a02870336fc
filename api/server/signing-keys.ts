import { writeFile } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { writeAtomically } from '../../warehouse/ground/temporary.ts';
import {
  addSigningKey,
  generateSigningKey,
  readSigningKeys,
  restoreSigningKeys,
  readSigningKeysCopy,
  signingKeysFile,
  type SigningKey,
} from '../../warehouse/live/signing-keys.ts';
import { describeError } from '../redact.ts';

/** A new key is published within this time after its creation. */
const REFRESH_MS = 10_000;
/** File permissions: only the owner may read the file, because it contains secrets. */
const FILE_MODE = 0o600;

type SigningKeyDeps = {
  redis: Pick<Redis, 'lrange' | 'lpush' | 'rpush' | 'hgetall' | 'hsetnx'>;
  dataDir: string;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
};

/**
 * Keeps the signing keys from Redis in memory, and a copy in the data folder. If Redis loses keys or revocations, this
 * process restores them. Otherwise past answers could no longer be verified. Creates a key if no valid key exists.
 * `refresh` reads the keys now and never fails.
 */
export function openSigningKeys({ redis, dataDir, now, log }: SigningKeyDeps): {
  keys: () => readonly SigningKey[];
  refresh: () => Promise<void>;
  close: () => Promise<void>;
} {
  const file = signingKeysFile(dataDir);
  let keys: readonly SigningKey[] | undefined;
  let saved = '';
  const refresh = async () => {
    const known = keys ?? (await readSigningKeysCopy(file)) ?? [];
    let current = await readSigningKeys(redis);
    const lost = known.filter(({ kid }) => current.every((key) => key.kid !== kid));
    const revoked = known.filter(
      ({ kid, revokedAt }) => revokedAt && !current.find((key) => key.kid === kid)?.revokedAt,
    );
    if (lost.length + revoked.length > 0) {
      await restoreSigningKeys(redis, { keys: lost, revoked });
      current = await readSigningKeys(redis);
    }
    if (current.every(({ revokedAt }) => revokedAt !== undefined)) {
      await addSigningKey(redis, generateSigningKey(now()));
      current = await readSigningKeys(redis);
    }
    keys = current;
    const text = JSON.stringify(current);
    if (text === saved) return;
    await writeAtomically(file, (temporary) => writeFile(temporary, text, { mode: FILE_MODE }));
    saved = text;
  };
  let running = Promise.resolve();
  const refreshSafely = () => {
    running = refresh().catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'signing keys not read');
    });
    return running;
  };
  const timer = setInterval(() => void refreshSafely(), REFRESH_MS).unref();
  return {
    keys: () => keys ?? [],
    refresh: refreshSafely,
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { CorruptFileError } from '../errors.ts';
import { readIfExists } from '../ground/files.ts';
import { sha256 } from '../ground/hashes.ts';

/** A key that signs answers, shared by all APIs of a Redis. */
export type SigningKey = {
  /** Id derived from the public key. The same key always has the same id. */
  kid: string;
  /** ISO. */
  createdAt: string;
  /** The key pair as a JSON Web Key; secret. */
  jwk: JsonWebKey;
  /** When the key was revoked (ISO); absent while the key is valid. */
  revokedAt?: string;
};

/** A new key is published for this time before it is used. By then, all caches of the published keys have it. */
const PUBLISHED_FIRST_MS = 10 * 60_000;

/** List of all keys as JSON, in no particular order. */
const KEYS = 'hw:signing:keys';
/** Hash that maps the id of a revoked key to the time of its revocation (ISO). Entries are never removed. */
const REVOKED = 'hw:signing:revoked';

/** Returns the path of the file with the copy of the keys. Its content is secret. */
export function signingKeysFile(dataDir: string): string {
  return join(dataDir, 'archive', 'signing-keys.json');
}

/**
 * Reads the copy of the keys; undefined if this machine has no copy, because no API has run on it. Throws
 * `CorruptFileError` if the file is damaged.
 */
export async function readSigningKeysCopy(file: string): Promise<SigningKey[] | undefined> {
  const content = await readIfExists(file);
  if (!content) return undefined;
  try {
    return JSON.parse(content.toString()) as SigningKey[];
  } catch (cause) {
    throw new CorruptFileError(file, `is not JSON: ${SIGNING_KEYS_REMEDY}`, { cause });
  }
}

/** The fix for a damaged copy of the keys. */
export const SIGNING_KEYS_REMEDY =
  'delete the file and restart the API, which writes it again from Redis; if Redis has lost the keys, restore the file from a backup';

/** Creates an Ed25519 key. */
export function generateSigningKey(now: Date): SigningKey {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { kid: sha256(jwk.x ?? '').slice(0, 16), createdAt: now.toISOString(), jwk };
}

/** Reads all keys without duplicates, oldest first, including revoked keys. */
export async function readSigningKeys(
  redis: Pick<Redis, 'lrange' | 'hgetall'>,
): Promise<SigningKey[]> {
  const [texts, revoked] = await Promise.all([redis.lrange(KEYS, 0, -1), redis.hgetall(REVOKED)]);
  const keys = texts.map((text): SigningKey => {
    const { kid, createdAt, jwk } = JSON.parse(text) as SigningKey;
    const revokedAt = revoked[kid];
    return { kid, createdAt, jwk, ...(revokedAt !== undefined && { revokedAt }) };
  });
  return [...new Map(keys.map((key) => [key.kid, key])).values()].toSorted(
    (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt),
  );
}

/** Adds a new key. */
export async function addSigningKey(redis: Pick<Redis, 'rpush'>, key: SigningKey): Promise<void> {
  await redis.rpush(KEYS, JSON.stringify(key));
}

/** Revokes a key. A revocation is never undone. Returns false if the key was revoked before. */
export async function revokeSigningKey(
  redis: Pick<Redis, 'hsetnx'>,
  kid: string,
  now: Date,
): Promise<boolean> {
  return (await redis.hsetnx(REVOKED, kid, now.toISOString())) === 1;
}

/**
 * Restores former keys and revocations. Among keys that were created at the same time, the restored keys come first, in
 * the given order.
 */
export async function restoreSigningKeys(
  redis: Pick<Redis, 'lpush' | 'hsetnx'>,
  { keys, revoked }: { keys: readonly SigningKey[]; revoked: readonly SigningKey[] },
): Promise<void> {
  // Restore revocations first, so that a process that reads in between does not sign with a revoked key.
  for (const { kid, revokedAt } of revoked) {
    if (revokedAt !== undefined) await redis.hsetnx(REVOKED, kid, revokedAt);
  }
  if (keys.length === 0) return;
  await redis.lpush(KEYS, ...keys.toReversed().map((key) => JSON.stringify(key)));
}

/**
 * Returns the key that signs at the time `at`: the newest valid key that had been published long enough by then. If
 * there is no such key, returns the first valid key; undefined if no key is valid.
 */
export function signingKeyAt(keys: readonly SigningKey[], at: Date): SigningKey | undefined {
  const until = at.getTime() - PUBLISHED_FIRST_MS;
  const valid = keys.filter(({ revokedAt }) => revokedAt === undefined);
  return valid.findLast(({ createdAt }) => Date.parse(createdAt) <= until) ?? valid[0];
}

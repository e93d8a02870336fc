import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { sha256 } from '../ground/sha256.ts';

/** A key that signs answers, shared by all APIs of a Redis. */
export type SigningKey = {
  /** Derived from the public part, so that equal keys have equal ids. */
  kid: string;
  /** ISO. */
  createdAt: string;
  /** The key pair as a JSON Web Key; secret. */
  jwk: JsonWebKey;
};

/**
 * A new key is published for this time before it signs, so that every cache of the published keys has the key by then.
 */
const PUBLISHED_FIRST_MS = 10 * 60_000;

/** List of all keys as JSON. Restored keys may be in any position. */
const KEYS = 'hw:signing:keys';

/** Returns the file with the copy of the keys; secret. */
export function signingKeysFile(dataDir: string): string {
  return join(dataDir, 'archive', 'signing-keys.json');
}

/** Creates an Ed25519 key. */
export function generateSigningKey(now: Date): SigningKey {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { kid: sha256(jwk.x ?? '').slice(0, 16), createdAt: now.toISOString(), jwk };
}

/** Reads all keys, oldest first, each once. */
export async function readSigningKeys(redis: Pick<Redis, 'lrange'>): Promise<SigningKey[]> {
  const texts = await redis.lrange(KEYS, 0, -1);
  const keys = texts.map((text) => JSON.parse(text) as SigningKey);
  return [...new Map(keys.map((key) => [key.kid, key])).values()].toSorted(
    (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt),
  );
}

/** Adds a new key. */
export async function addSigningKey(redis: Pick<Redis, 'rpush'>, key: SigningKey): Promise<void> {
  await redis.rpush(KEYS, JSON.stringify(key));
}

/** Puts former keys back. Keys of the same time keep the given order and precede the keys that Redis has. */
export async function restoreSigningKeys(
  redis: Pick<Redis, 'lpush'>,
  keys: readonly SigningKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await redis.lpush(KEYS, ...keys.toReversed().map((key) => JSON.stringify(key)));
}

/** Returns the key that signs at this time: the newest that was published early enough, or else the first. */
export function signingKeyAt(keys: readonly [SigningKey, ...SigningKey[]], at: Date): SigningKey {
  const until = at.getTime() - PUBLISHED_FIRST_MS;
  return keys.findLast(({ createdAt }) => Date.parse(createdAt) <= until) ?? keys[0];
}

import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
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

/** List of all keys as JSON, oldest first. */
const KEYS = 'hw:signing:keys';

/** Creates an Ed25519 key. */
export function generateSigningKey(now: Date): SigningKey {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { kid: sha256(jwk.x ?? '').slice(0, 16), createdAt: now.toISOString(), jwk };
}

/** Reads all keys, oldest first, each once. */
export async function readSigningKeys(redis: Pick<Redis, 'lrange'>): Promise<SigningKey[]> {
  const texts = await redis.lrange(KEYS, 0, -1);
  const keys = texts.map((text) => JSON.parse(text) as SigningKey);
  return [...new Map(keys.map((key) => [key.kid, key])).values()];
}

/** Adds a new key. */
export async function addSigningKey(redis: Pick<Redis, 'rpush'>, key: SigningKey): Promise<void> {
  await redis.rpush(KEYS, JSON.stringify(key));
}

/** Puts back former keys, in the given order, before the keys that Redis has. */
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

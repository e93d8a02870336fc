import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KeyLimitError } from './errors.ts';

/** `live` keys are for production, `test` keys for experiments. Calls of both kinds are counted in the same way. */
export type KeyKind = 'live' | 'test';

/** The highest monthly limit that a key can have, unless the key is unlimited. */
export const MONTHLY_LIMIT_MAX = 10_000_000;

/** The limit that stands for no limit (plan Enterprise); admit.lua never refuses a key with this limit. */
export const UNLIMITED = 1_000_000_000;

/** Returns the limit if it is allowed; throws `KeyLimitError` otherwise. */
export function validateLimit(limit: number): number {
  const isInRange = Number.isInteger(limit) && limit >= 1 && limit <= MONTHLY_LIMIT_MAX;
  if (!isInRange && limit !== UNLIMITED) throw new KeyLimitError(limit, MONTHLY_LIMIT_MAX);
  return limit;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 26; // 154 bits
const CHECKSUM_LENGTH = 6; // 62^6 exceeds any CRC-32
const PREFIX_LENGTH = 14; // required by the specification
const SHAPE = /^hw_(?:live|test)_[0-9A-Za-z]{32}$/;

/** Generates a secret key: `hw_live_` or `hw_test_`, 26 random characters and a checksum of 6 characters. */
export function generateKey(kind: KeyKind): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(62)));
  const body = `hw_${kind}_${random.join('')}`;
  return body + checksum(body);
}

/**
 * Whether the text has the format of a key and a correct checksum. Mistyped keys can therefore be refused without a
 * request to Redis.
 */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** Returns the key prefix: the first 14 characters. They identify a key, but do not give access. */
export function prefixOf(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}

/** Returns the kind of a key or key prefix. */
export function kindOf(key: string): KeyKind {
  return key.startsWith('hw_live_') ? 'live' : 'test';
}

/**
 * Returns the SHA-256 of a key in hex; keys are stored only in this form. A fast hash suffices because keys, unlike
 * passwords, are random.
 */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** Returns the CRC-32 of the kind and the random part of a key, in base 62, padded to six characters. */
function checksum(body: string): string {
  let remainder = crc32(body);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(remainder % 62) + digits;
    remainder = Math.floor(remainder / 62);
  }
  return digits;
}

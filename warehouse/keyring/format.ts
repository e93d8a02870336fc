import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KeyLimitError } from './errors.ts';

/** `live` keys are for production, `test` keys for trying things out; both are counted alike. */
export type KeyKind = 'live' | 'test';

/** The highest limit a key can be given, but for none at all. */
export const MONTHLY_LIMIT_MAX = 10_000_000;

/** The limit of a key without one (the plan Enterprise); admit.lua never refuses it. */
export const UNLIMITED = 1_000_000_000;

/** The limit, where a key may have it; throws `KeyLimitError`. */
export function allowedLimit(limit: number): number {
  const isCounted = Number.isInteger(limit) && limit >= 1 && limit <= MONTHLY_LIMIT_MAX;
  if (!isCounted && limit !== UNLIMITED) throw new KeyLimitError(limit, MONTHLY_LIMIT_MAX);
  return limit;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 26; // 154 bits
const CHECKSUM_LENGTH = 6; // 62^6 holds any CRC-32
const PREFIX_LENGTH = 14; // of the specification
const SHAPE = /^hw_(?:live|test)_[0-9A-Za-z]{32}$/;

/** A new secret key: `hw_live_` or `hw_test_`, 26 random characters, 6 of checksum. */
export function generateKey(kind: KeyKind): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(62)));
  const body = `hw_${kind}_${random.join('')}`;
  return body + checksum(body);
}

/** Whether the text has the form of a key and the checksum is right; a mistyped key is refused without a look-up. */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** The first 14 characters: enough to name a key, not to use it. */
export function prefixOf(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}

/** What a key, or the prefix of one, is for. */
export function kindOf(key: string): KeyKind {
  return key.startsWith('hw_live_') ? 'live' : 'test';
}

/** SHA-256 of the key in hex, the only form in which keys are stored. Fast on purpose: keys are random, not passwords. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** CRC-32 of the kind and the random part, in base 62, padded to six characters. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** The record of a key in Redis is broken. The key is unusable until an operator repairs the record. */
export class KeyRecordError extends Error {
  readonly isFinal = true;
  override readonly name = 'KeyRecordError';
  /** The prefix of the key, never the key itself. If the prefix is unreadable, the beginning of the key's sha256. */
  readonly key: string;

  constructor(key: string, field: string) {
    super(`the record of key ${key} is broken: ${field}`);
    this.key = key;
  }
}

/** The requested limit is not allowed. */
export class KeyLimitError extends Error {
  readonly isFinal = true;
  override readonly name = 'KeyLimitError';

  constructor(limit: number, max: number) {
    super(`the monthly limit must be a whole number from 1 to ${max}, not ${limit}`);
  }
}

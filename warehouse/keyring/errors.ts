/** What Redis holds of a key makes no sense, so nothing can be done with the key until an operator mends it. */
export class KeyRecordError extends Error {
  readonly isFinal = true;
  override readonly name = 'KeyRecordError';
  /** Its prefix or, where that cannot be read, the beginning of its sha256; never the key. */
  readonly key: string;

  constructor(key: string, what: string) {
    super(`the record of key ${key} makes no sense: ${what}`);
    this.key = key;
  }
}

/** A limit that no key is given. */
export class KeyLimitError extends Error {
  readonly isFinal = true;
  override readonly name = 'KeyLimitError';

  constructor(limit: number, max: number) {
    super(`a limit of ${limit} calls a month is no whole number from 1 to ${max}`);
  }
}

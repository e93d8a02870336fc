import { CorruptFileError } from '../errors.ts';

/** An object as a list tells it. */
export type StoredObject = {
  name: string;
  bytes: number;
  /** When it was written, by the clock of who keeps it. */
  at: Date;
};

/** What an object must be, bit for bit. */
export type Expected = { bytes: number; sha256: string };

/**
 * Files kept for all machines under names that never change their content. Nothing here relies on a write being refused
 * because the name is taken: which files count is said elsewhere, by a pointer.
 */
export type Objects = {
  /** As people name it: `s3://bucket/prefix` or a folder. */
  place: string;
  /** Objects whose names begin so, in order of their names. Throws when the place itself is not there: that is no empty list. */
  list: (prefix: string) => Promise<StoredObject[]>;
  /** A small object; undefined where there is none. */
  read: (name: string) => Promise<Buffer | undefined>;
  /** Writes an object to a file, which is there whole or not at all; throws `CorruptFileError` when it is not as expected. */
  get: (name: string, file: string, expected: Expected) => Promise<void>;
  /** Writes an object whole. */
  put: (name: string, content: Buffer) => Promise<void>;
  /** Removes an object; one that is not there is as good. */
  remove: (name: string) => Promise<void>;
  /** Throws what is wrong when it cannot be reached. */
  check: () => Promise<void>;
};

/** The storage did not answer, or not in time, or could not; says nothing about whether a write was done. */
export class StorageAwayError extends Error {
  readonly isFinal = false;
  override readonly name = 'StorageAwayError';

  constructor(place: string, detail: string, options?: ErrorOptions) {
    super(`${place} is away: ${detail}`, options);
  }
}

/** The storage refuses us, and will until somebody changes something; the message says what. */
export class StorageRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'StorageRefusedError';

  constructor(place: string, detail: string, remedy: string) {
    super(`${place} refuses: ${detail}. What helps: ${remedy}`);
  }
}

/** An object that a pointer or a manifest names is not there, or not what was written. */
export function damagedObject(place: string, name: string, detail: string): CorruptFileError {
  return new CorruptFileError(`${place}/${name}`, detail);
}

import { CorruptFileError } from '../errors.ts';

/** An entry in a list of objects. */
export type StoredObject = {
  name: string;
  bytes: number;
  /** Time of writing, by the clock of the storage. */
  at: Date;
};

/** The exact content that an object must have. */
export type ExpectedContent = { bytes: number; sha256: string };

/**
 * A storage for files that all machines share. The content under a name never changes. The storage itself may allow
 * overwriting, because pointers outside the storage name the current files.
 */
export type Objects = {
  /** The place of the storage for messages: `s3://bucket/prefix` or a folder. */
  place: string;
  /**
   * Lists objects by prefix, sorted by name. Throws if the storage is unavailable, because an empty list would be
   * mistaken for an empty storage.
   */
  list: (prefix: string) => Promise<StoredObject[]>;
  /** Reads a small object; undefined if the object does not exist. */
  read: (name: string) => Promise<Buffer | undefined>;
  /** Downloads an object to a file, atomically. Throws `CorruptFileError` if the content is not as expected. */
  get: (name: string, file: string, expected: ExpectedContent) => Promise<void>;
  /** Writes an object. */
  put: (name: string, content: Buffer) => Promise<void>;
  /** Removes an object if the object exists. */
  remove: (name: string) => Promise<void>;
  /** Throws if the storage is unavailable. The error names the problem. */
  check: () => Promise<void>;
};

/** The storage did not answer in time, or failed temporarily. A write may still have succeeded. */
export class StorageUnavailableError extends Error {
  readonly isFinal = false;
  override readonly name: string = 'StorageUnavailableError';

  constructor(place: string, detail: string, options?: ErrorOptions) {
    super(`${place} is unavailable: ${detail}`, options);
  }
}

/** The storage refuses the request, so a retry cannot help. The error message says what to do. */
export class StorageRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'StorageRefusedError';

  constructor(place: string, detail: string, remedy: string) {
    super(`${place} refuses the request: ${detail}. To fix it: ${remedy}`);
  }
}

/** Creates the error for an object that is named by a pointer or manifest, but is missing or damaged. */
export function damagedObjectError(place: string, name: string, detail: string): CorruptFileError {
  return new CorruptFileError(`${place}/${name}`, detail);
}

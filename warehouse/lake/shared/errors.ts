/** A pointer could not be moved, because another machine moved it first in every attempt. */
export class LakeContendedError extends Error {
  readonly isFinal = false;
  override readonly name = 'LakeContendedError';

  constructor(unit: string) {
    super(`other machines replaced ${unit} while it was being written; the job is retried`);
  }
}

/**
 * A shared lake has months, but neither Redis nor the storage has its pointers. The lake must not be treated as empty:
 * its months would be deleted. Nothing was changed.
 */
export class NoPointersError extends Error {
  readonly isFinal = true;
  override readonly name = 'NoPointersError';

  constructor(place: string, why?: string) {
    super(
      `the pointers to current versions are missing in ${place}/pointers/ and in Redis${why === undefined ? '' : `, but ${why}`}; nothing was changed. To fix it: correct LAKE_URL and S3_ENDPOINT, or restore the objects of pointers/. Or restore a backup: make restore-backup FROM=<backup> FORCE=1`,
    );
  }
}

/** The local folder belongs to another lake and must not become a copy of the configured lake. */
export class OtherLakeError extends Error {
  readonly isFinal = true;
  override readonly name = 'OtherLakeError';

  constructor(lakeDir: string, place: string, reason: string) {
    super(
      `${lakeDir} is not a copy of ${place} (LAKE_URL): ${reason}. To copy it there: make lake-copy FROM=${lakeDir} TO=${place}. If you do not need it, move the folder elsewhere`,
    );
  }
}

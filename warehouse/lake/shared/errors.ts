/** Others moved the pointer of a month again and again while this one wrote it. */
export class LakeContendedError extends Error {
  readonly isFinal = false;
  override readonly name = 'LakeContendedError';

  constructor(unit: string) {
    super(`${unit} was replaced by others while it was written; it is tried again`);
  }
}

/**
 * Neither Redis nor the place of a lake says which months count, though there were some: taking that for an empty lake would
 * delete them. Nothing was changed.
 */
export class NoPointersError extends Error {
  readonly isFinal = true;
  override readonly name = 'NoPointersError';

  constructor(place: string, why?: string) {
    super(
      `${place} has no list of what counts (${place}/pointers/), nor has Redis${why === undefined ? '' : `, but ${why}`}; nothing was changed. What helps: correct LAKE_URL and S3_ENDPOINT, or bring the objects of pointers/ back. make restore-backup FROM=<backup> FORCE=1 puts a backup there instead`,
    );
  }
}

/** The folder of a lake is not, and must not become, a copy of the lake that is set. */
export class OtherLakeError extends Error {
  readonly isFinal = true;
  override readonly name = 'OtherLakeError';

  constructor(lakeDir: string, place: string, what: string) {
    super(
      `${lakeDir} is ${what}, not a copy of ${place} (LAKE_URL): make lake-copy FROM=${lakeDir} TO=${place} brings it there; to do without it, move the folder away`,
    );
  }
}

/** Others moved the pointer of a month again and again while this one wrote it. */
export class LakeContendedError extends Error {
  readonly isFinal = false;
  override readonly name = 'LakeContendedError';

  constructor(unit: string) {
    super(`${unit} was replaced by others while it was written; it is tried again`);
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

/** The source is not a flight file we can read; running again cannot help. Not for outages. */
export class SourceFormatError extends Error {
  readonly isFinal = true;
  readonly source: string;

  constructor(source: string, detail: string, options?: ErrorOptions) {
    super(`${source}: ${detail}`, options);
    this.name = 'SourceFormatError';
    this.source = source;
  }
}

/** The flights of a back-test do not let anything be measured; more of them would. */
export class NothingToMeasureError extends Error {
  readonly isFinal = true;
  override readonly name = 'NothingToMeasureError';
}

/** Checks of severity error found offending rows, so nothing is published. */
export class ChecksFailedError extends Error {
  readonly isFinal = true;
  readonly checks: string[];

  constructor(checks: string[]) {
    super(`not published: failing checks: ${checks.join(', ')}`);
    this.name = 'ChecksFailedError';
    this.checks = checks;
  }
}

/** No build came to its end since the last change, so there is nothing that was checked. */
export class NothingBuiltError extends Error {
  readonly isFinal = true;
  constructor() {
    super('not published: nothing is built yet; make features builds it');
    this.name = 'NothingBuiltError';
  }
}

/** The place a file comes from cannot be reached or is not well just now; trying again later may help. */
export class SourceOutageError extends Error {
  readonly isFinal = false;
  readonly source: string;
  /** What the server asked for with Retry-After; undefined when it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(source: string, detail: string, options?: ErrorOptions & { retryAfterMs?: number }) {
    super(`${source}: ${detail}`, options);
    this.name = 'SourceOutageError';
    this.source = source;
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** The file may not be had from there, or must not be fetched; asking again cannot help. Not for one that is not out yet. */
export class SourceRefusedError extends Error {
  readonly isFinal = true;
  readonly source: string;

  constructor(source: string, detail: string, options?: ErrorOptions) {
    super(`${source}: ${detail}`, options);
    this.name = 'SourceRefusedError';
    this.source = source;
  }
}

/** No model can be trained on this machine, of this lake or in time; trying again cannot help. Not for a training killed by others. */
export class TrainingImpossibleError extends Error {
  readonly isFinal = true;
  override readonly name = 'TrainingImpossibleError';
}

/** This model was rolled back from, so no training releases it again. */
export class ModelWithdrawnError extends Error {
  readonly isFinal = true;
  readonly version: string;

  constructor(version: string) {
    super(
      `not released: what came of it is ${version}, which was rolled back from; make model-rollback VERSION=${version} brings it back`,
    );
    this.name = 'ModelWithdrawnError';
    this.version = version;
  }
}

/** The model asked for is not kept or cannot be published, or there is none to go back to; nothing was changed. */
export class ModelNotKeptError extends Error {
  readonly isFinal = true;
  readonly kept: string[];

  constructor(detail: string, kept: string[]) {
    super(`${detail}; kept are ${kept.join(', ')}`);
    this.name = 'ModelNotKeptError';
    this.kept = kept;
  }
}

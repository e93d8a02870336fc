/** Restoring this version would lose too many flights of the current version. Nothing was changed. */
export class RestoreRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'RestoreRefusedError';

  constructor(month: string, losses: readonly string[]) {
    super(
      `the former version of ${month} is poorer: ${losses.join('; ')}; FORCE=1 restores it anyway`,
    );
  }
}

/** A backtest has too few flights to measure anything. */
export class NothingToMeasureError extends Error {
  readonly isFinal = true;
  override readonly name = 'NothingToMeasureError';
}

/** Checks with severity `error` found offending rows, so nothing is published. */
export class ChecksFailedError extends Error {
  readonly isFinal = true;
  override readonly name = 'ChecksFailedError';
  readonly checks: string[];

  constructor(checks: string[]) {
    super(`not published: failing checks: ${checks.join(', ')}`);
    this.checks = checks;
  }
}

/** No build has finished since the last change, so there are no checked features to publish. */
export class NothingBuiltError extends Error {
  readonly isFinal = true;
  override readonly name = 'NothingBuiltError';
  constructor() {
    super('not published: the features are not built yet; run make features');
  }
}

/** The source of a file is unreachable or failing; a later retry may help. */
export class SourceOutageError extends Error {
  readonly isFinal = false;
  override readonly name = 'SourceOutageError';
  readonly source: string;
  /** From the server's Retry-After header; undefined without the header. */
  readonly retryAfterMs: number | undefined;

  constructor(source: string, detail: string, options?: ErrorOptions & { retryAfterMs?: number }) {
    super(`${source}: ${detail}`, options);
    this.source = source;
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/**
 * The source does not provide the file, or the file must not be fetched. A retry cannot help. A month that is not
 * published yet causes no error.
 */
export class SourceRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'SourceRefusedError';
  readonly source: string;

  constructor(source: string, detail: string, options?: ErrorOptions) {
    super(`${source}: ${detail}`, options);
    this.source = source;
  }
}

/**
 * This machine cannot train a model from this lake, or cannot train it in time. A retry cannot help. A training that
 * was killed throws a different error.
 */
export class TrainingImpossibleError extends Error {
  readonly isFinal = true;
  override readonly name = 'TrainingImpossibleError';
}

/**
 * The new model is identical to a model that was withdrawn by a rollback, so the training does not release it again.
 */
export class ModelWithdrawnError extends Error {
  readonly isFinal = true;
  override readonly name = 'ModelWithdrawnError';
  readonly version: string;

  constructor(version: string) {
    super(
      `not released: the training produced ${version}, which a rollback withdrew; to release it, run make model-rollback VERSION=${version}`,
    );
    this.version = version;
  }
}

/**
 * A pin or rollback was refused: the model is missing or cannot be published, or no earlier model exists. Nothing was
 * changed.
 */
export class ModelChangeRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'ModelChangeRefusedError';
  readonly versions: string[];

  constructor(detail: string, versions: string[]) {
    super(`${detail}; available models: ${versions.join(', ')}`);
    this.versions = versions;
  }
}

/** The history is too short to judge a model trained elsewhere. Nothing was stored. */
export class ModelImportRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'ModelImportRefusedError';
}

/** The source is not a flight file we can read; running again cannot help. Not for outages. */
export class SourceFormatError extends Error {
  readonly source: string;

  constructor(source: string, detail: string, options?: ErrorOptions) {
    super(`${source}: ${detail}`, options);
    this.name = 'SourceFormatError';
    this.source = source;
  }
}

/** Checks of severity error found offending rows, so nothing is published. */
export class ChecksFailedError extends Error {
  readonly checks: string[];

  constructor(checks: string[]) {
    super(`not published: failing checks: ${checks.join(', ')}`);
    this.name = 'ChecksFailedError';
    this.checks = checks;
  }
}

/** The content of this store was rolled back from, so it is not published again. */
export class ContentWithdrawnError extends Error {
  readonly version: string;

  constructor(version: string) {
    super(
      `not published: the content is that of ${version}, which was rolled back from; make rollback VERSION=${version} brings it back`,
    );
    this.name = 'ContentWithdrawnError';
    this.version = version;
  }
}

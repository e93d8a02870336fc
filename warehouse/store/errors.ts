/** The content of this store was rolled back from, so it is not published again. */
export class ContentWithdrawnError extends Error {
  readonly isFinal = true;
  readonly version: string;

  constructor(version: string) {
    super(
      `not published: the content is that of ${version}, which was rolled back from; make rollback VERSION=${version} brings it back`,
    );
    this.name = 'ContentWithdrawnError';
    this.version = version;
  }
}

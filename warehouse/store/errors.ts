/** The file is not what its manifest says: damaged, half written, or from another version. */
export class CorruptFileError extends Error {
  readonly file: string;

  constructor(file: string, detail: string, options?: ErrorOptions) {
    super(`${file}: ${detail}`, options);
    this.name = 'CorruptFileError';
    this.file = file;
  }
}

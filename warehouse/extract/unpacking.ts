import { SourceFormatError } from '../../pipelines/errors.ts';

/** Sixteen times a busy BTS month. */
const MAX_CSV_BYTES = 4 * 1024 ** 3;

/** Flight files shrink to about a tenth; small ones may be made of equal lines. */
const MAX_RATIO = 100;
const RATIO_FROM_BYTES = 256 * 1024 ** 2;

/** Refuses what unpacks to more than any month of flights: a bomb, or not for us. */
export function checkUnpackedSize(name: string, unpackedBytes: number, packedBytes: number): void {
  if (unpackedBytes > MAX_CSV_BYTES) {
    throw new SourceFormatError(name, 'unpacks to more than 4 GB, too much for flight files');
  }
  if (unpackedBytes > RATIO_FROM_BYTES && unpackedBytes > packedBytes * MAX_RATIO) {
    throw new SourceFormatError(
      name,
      `unpacks to more than ${MAX_RATIO} times its size, which no flight file does`,
    );
  }
}

/** A stream step that shows each chunk to `see` and hands it on. */
export function tap(see: (chunk: Buffer) => void) {
  return async function* seen(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      see(chunk);
      yield chunk;
    }
  };
}

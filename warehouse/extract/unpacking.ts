import { SourceFormatError } from '../errors.ts';

/** Maximum size of an unpacked file, in bytes: sixteen times the size of a busy month from BTS. */
const MAX_CSV_BYTES = 4 * 1024 ** 3;

/**
 * Maximum ratio of unpacked to packed size. Packing shrinks flight files to about a tenth. A small file with many equal
 * lines may shrink more, so the ratio is checked only for files larger than `RATIO_FROM_BYTES` after unpacking.
 */
const MAX_RATIO = 100;
const RATIO_FROM_BYTES = 256 * 1024 ** 2;

/**
 * Refuses a file that is too large after unpacking: larger than any month of flights, or much larger than its packed
 * size. Such a file is a zip bomb, or it contains something other than flights.
 */
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

/** Creates a stream step that calls `onChunk` with each chunk and passes the chunk on. */
export function tap(onChunk: (chunk: Buffer) => void) {
  return async function* tapped(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      onChunk(chunk);
      yield chunk;
    }
  };
}

import { SourceFormatError } from '../errors.ts';

/** Sixteen times the unpacked size of a busy month from BTS. */
const MAX_CSV_BYTES = 4 * 1024 ** 3;

/**
 * Maximum ratio of unpacked to packed size. Flight files shrink to about a tenth; a small file with many equal lines
 * may shrink more.
 */
const MAX_RATIO = 100;
const RATIO_FROM_BYTES = 256 * 1024 ** 2;

/**
 * Refuses a file that unpacks to more bytes than any month of flights. The file is a zip bomb, or it has no flights.
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

import { SourceFormatError } from '../errors.ts';

/** Sixteen times a busy BTS month. */
const MAX_CSV_BYTES = 4 * 1024 ** 3;

/** Flight files shrink to about a tenth. A small file may shrink more, if many of its lines are equal. */
const MAX_RATIO = 100;
const RATIO_FROM_BYTES = 256 * 1024 ** 2;

/** Refuses a file that unpacks to more than any month of flights. Such a file is a zip bomb, or not a flight file. */
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

/** Stream step that passes each chunk to `onChunk` and then to the next step. */
export function tap(onChunk: (chunk: Buffer) => void) {
  return async function* tapped(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      onChunk(chunk);
      yield chunk;
    }
  };
}

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** Returns the content of a file in chunks, unpacked if it is gzip. */
export function gunzipped(filePath: string, isGzip: boolean): AsyncIterable<Buffer> {
  const file = createReadStream(filePath);
  if (!isGzip) return file;
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  return file.pipe(unpacked);
}

/**
 * Whether all bytes of a file are valid UTF-8. Reads the whole file into memory, so call it only for small files, such
 * as files of sums.
 */
export async function isUtf8File(filePath: string, isGzip: boolean): Promise<boolean> {
  const chunks: Buffer[] = [];
  for await (const chunk of gunzipped(filePath, isGzip)) chunks.push(chunk);
  return isUtf8(Buffer.concat(chunks));
}

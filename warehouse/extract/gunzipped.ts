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
 * Returns the content of a file; undefined if the content is valid UTF-8. Reads the whole file into memory, so use it
 * only for small files, such as the files of providers.
 */
export async function readUnlessUtf8(
  filePath: string,
  isGzip: boolean,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of gunzipped(filePath, isGzip)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return isUtf8(bytes) ? undefined : bytes;
}

import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { SourceFormatError } from '../errors.ts';
import { formatList } from '../ground/format-list.ts';
import { checkUnpackedSize, tap } from './unpacking.ts';

const CHUNK_BYTES = 1024 * 1024;

/** BTS puts two files into a zip. A zip with many files is not from BTS and is not read. */
const MAX_ENTRIES = 100;

const STORED = 0;
const DEFLATED = 8;

/**
 * Unpacks the only CSV of a zip into `target`, passing every chunk to `onChunk`. Other files, such as a readme, are
 * ignored. Throws `SourceFormatError` for any other zip; `target` may then contain part of the content.
 */
export async function unzipCsv(
  zipPath: string,
  target: string,
  onChunk: (chunk: Buffer) => void,
): Promise<void> {
  const name = path.basename(zipPath);
  const { entry, start } = await findCsv(zipPath);
  let crc = 0;
  let bytes = 0;
  const checkChunk = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > entry.uncompressedSize) {
      throw new SourceFormatError(
        name,
        `is a damaged zip: it unpacks to more than the ${entry.uncompressedSize} bytes it declares`,
      );
    }
    crc = crc32(chunk, crc);
    onChunk(chunk);
  };
  const isStored = entry.compressionMethod === STORED;
  await wrapZipErrors(name, () =>
    pipeline(
      createReadStream(zipPath, {
        start,
        end: start + entry.compressedSize - 1,
        highWaterMark: CHUNK_BYTES,
      }),
      isStored ? new PassThrough() : createInflateRaw({ chunkSize: CHUNK_BYTES }),
      tap(checkChunk),
      createWriteStream(target, { flags: 'wx' }),
    ),
  );
  if (bytes !== entry.uncompressedSize || crc !== entry.crc32) {
    throw new SourceFormatError(
      name,
      `is a damaged zip: ${quote(entry.fileName)} does not match its checksum`,
    );
  }
}

/** Returns the number of bytes that `unzipCsv` would write, according to the zip's directory. */
export async function unpackedBytes(zipPath: string): Promise<number> {
  return (await findCsv(zipPath)).entry.uncompressedSize;
}

/** Returns the entry of the only CSV of a zip, and the position at which its content starts. */
async function findCsv(zipPath: string): Promise<{ entry: Entry; start: number }> {
  const name = path.basename(zipPath);
  return wrapZipErrors(name, async () => {
    const zip = await openPromise(zipPath, { autoClose: false });
    try {
      const csv = findOnlyCsv(name, await readEntries(name, zip));
      checkEntry(name, csv);
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(csv, { minimal: true });
      return { entry: csv, start: fileDataStart };
    } finally {
      zip.close();
    }
  });
}

async function readEntries(name: string, zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > MAX_ENTRIES) {
      throw new SourceFormatError(name, `is a zip of more than ${MAX_ENTRIES} files`);
    }
  }
  return entries;
}

function findOnlyCsv(name: string, entries: Entry[]): Entry {
  // macOS adds this folder with metadata of the files.
  const files = entries.filter(
    ({ fileName }) => !fileName.endsWith('/') && !fileName.startsWith('__MACOSX/'),
  );
  const [csv, ...more] = files.filter(({ fileName }) => /\.csv$/i.test(fileName));
  if (csv && more.length === 0) {
    return csv;
  }
  if (csv) {
    const names = [csv, ...more].map(({ fileName }) => quote(fileName));
    throw new SourceFormatError(
      name,
      `contains ${names.length} CSV files, but only one is supported: ${formatList(names)}`,
    );
  }
  if (files.some(({ fileName }) => fileName === '[Content_Types].xml')) {
    throw new SourceFormatError(
      name,
      'is an Office document, not a CSV, gzip, zip or Parquet file',
    );
  }
  const names = files.map(({ fileName }) => quote(fileName));
  throw new SourceFormatError(
    name,
    `is a zip without a CSV in it: ${formatList(names) || 'empty'}`,
  );
}

function checkEntry(name: string, entry: Entry): void {
  if (entry.isEncrypted()) {
    throw new SourceFormatError(name, `is encrypted: ${quote(entry.fileName)} needs a password`);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new SourceFormatError(
      name,
      `is compressed by method ${entry.compressionMethod}; only stored and deflated are supported`,
    );
  }
  if (entry.uncompressedSize === 0 || entry.compressedSize === 0) {
    throw new SourceFormatError(name, `contains ${quote(entry.fileName)}, which is empty`);
  }
  checkUnpackedSize(name, entry.uncompressedSize, entry.compressedSize);
}

/** Runs `work` on the zip. Turns errors of the zip into `SourceFormatError`; outages pass through unchanged. */
async function wrapZipErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Errors of the operating system have a `syscall`. They are outages, not faults of the zip.
    if (error instanceof SourceFormatError || !(error instanceof Error) || 'syscall' in error) {
      throw error;
    }
    throw new SourceFormatError(name, `is a damaged zip: ${error.message}`, { cause: error });
  }
}

/** Quotes a file name from a zip, so that control characters in it do not reach a terminal. */
function quote(fileName: string): string {
  return JSON.stringify(fileName.slice(0, 100));
}

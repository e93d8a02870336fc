import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { SourceFormatError } from '../../pipelines/errors.ts';
import { listed } from '../ground/listed.ts';
import { checkUnpackedSize, tap } from './unpacking.ts';

const CHUNK_BYTES = 1024 * 1024;

/** BTS puts two files into a zip; a long list is something else, and not worth reading. */
const MAX_ENTRIES = 100;

const STORED = 0;
const DEFLATED = 8;

/**
 * Unpacks the only CSV of a zip into `target`, showing every chunk to `see`; beside it, a readme and the like may
 * stand. Throws SourceFormatError for any other zip, of whose content then at most a part was written.
 */
export async function unzipCsv(
  zipPath: string,
  target: string,
  see: (chunk: Buffer) => void,
): Promise<void> {
  const name = path.basename(zipPath);
  const { entry, start } = await asZip(name, async () => {
    const zip = await openPromise(zipPath, { autoClose: false });
    try {
      const found = onlyCsv(name, await entriesOf(name, zip));
      checkEntry(name, found);
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(found, { minimal: true });
      return { entry: found, start: fileDataStart };
    } finally {
      zip.close();
    }
  });
  let crc = 0;
  let bytes = 0;
  const check = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > entry.uncompressedSize) {
      throw new SourceFormatError(
        name,
        `is a damaged zip: it unpacks to more than the ${entry.uncompressedSize} bytes it tells`,
      );
    }
    crc = crc32(chunk, crc);
    see(chunk);
  };
  const isStored = entry.compressionMethod === STORED;
  await asZip(name, () =>
    pipeline(
      createReadStream(zipPath, {
        start,
        end: start + entry.compressedSize - 1,
        highWaterMark: CHUNK_BYTES,
      }),
      isStored ? new PassThrough() : createInflateRaw({ chunkSize: CHUNK_BYTES }),
      tap(check),
      createWriteStream(target, { flags: 'wx' }),
    ),
  );
  if (bytes !== entry.uncompressedSize || crc !== entry.crc32) {
    throw new SourceFormatError(
      name,
      `is a damaged zip: ${quoted(entry.fileName)} does not match its checksum`,
    );
  }
}

async function entriesOf(name: string, zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > MAX_ENTRIES) {
      throw new SourceFormatError(name, `is a zip of more than ${MAX_ENTRIES} files`);
    }
  }
  return entries;
}

function onlyCsv(name: string, entries: Entry[]): Entry {
  // macOS adds shadows of the files under this folder.
  const files = entries.filter(
    ({ fileName }) => !fileName.endsWith('/') && !fileName.startsWith('__MACOSX/'),
  );
  const [csv, ...more] = files.filter(({ fileName }) => /\.csv$/i.test(fileName));
  if (csv && more.length === 0) {
    return csv;
  }
  if (csv) {
    const names = [csv, ...more].map(({ fileName }) => quoted(fileName));
    throw new SourceFormatError(
      name,
      `holds ${names.length} CSV files, one is read: ${listed(names)}`,
    );
  }
  if (files.some(({ fileName }) => fileName === '[Content_Types].xml')) {
    throw new SourceFormatError(
      name,
      'is an Office document, not a CSV, gzip, zip or Parquet file',
    );
  }
  const names = files.map(({ fileName }) => quoted(fileName));
  throw new SourceFormatError(name, `is a zip without a CSV in it: ${listed(names) || 'empty'}`);
}

function checkEntry(name: string, entry: Entry): void {
  if (entry.isEncrypted()) {
    throw new SourceFormatError(name, `is encrypted: ${quoted(entry.fileName)} needs a password`);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new SourceFormatError(
      name,
      `is compressed by method ${entry.compressionMethod}; stored and deflated are read`,
    );
  }
  if (entry.uncompressedSize === 0 || entry.compressedSize === 0) {
    throw new SourceFormatError(name, `holds ${quoted(entry.fileName)}, which is empty`);
  }
  checkUnpackedSize(name, entry.uncompressedSize, entry.compressedSize);
}

/** Does work on the zip; what is wrong with the zip is a SourceFormatError, outages stay what they are. */
async function asZip<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Errors of the system carry the call that failed.
    if (error instanceof SourceFormatError || !(error instanceof Error) || 'syscall' in error) {
      throw error;
    }
    throw new SourceFormatError(name, `is a damaged zip: ${error.message}`, { cause: error });
  }
}

/** Names come from outside: no line end or escape of theirs reaches a terminal. */
function quoted(fileName: string): string {
  return JSON.stringify(fileName.slice(0, 100));
}

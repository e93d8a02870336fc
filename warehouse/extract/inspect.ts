import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { isMissing } from '../ground/files.ts';
import { SourceFormatError } from '../errors.ts';
import type { SourceFile } from './extract-deps.ts';
import { openDatabase } from '../connect.ts';
import { fileSha256 } from '../ground/hashes.ts';
import { detectContainer } from './container.ts';
import { isJson, jsonToCsv, type JsonTable } from './json-table.ts';
import { checkParquetPages } from './parquet-pages.ts';
import { startLineScan } from './line-scan.ts';
import { wrapReadErrors } from './read-errors.ts';
import { parseTable } from './table.ts';
import { checkUnpackedSize, tap } from './unpacking.ts';
import { unzipCsv } from './unzip.ts';

const READ_BYTES = 1024 * 1024;

/**
 * Reads a file once and returns its format, hash, columns and number of rows. A zip is unpacked to a path from `spill`,
 * which `close` removes. A gzip file is checked to the last byte, because DuckDB silently accepts truncated and damaged
 * gzip files. Pages of a Parquet file are checked if they have a checksum.
 */
export async function inspect(
  filePath: string,
  spill: () => Promise<string>,
  jsonTables: readonly JsonTable[] = [],
): Promise<SourceFile> {
  const name = path.basename(filePath);
  const bytes = await readSize(filePath, name);
  const packed = await detectContainer(filePath, name, bytes);
  const isText = packed === 'csv' || packed === 'csv.gz';
  const isJsonText = isText && (await wrapGzipErrors(name, isJson(filePath, packed === 'csv.gz')));
  const container = isJsonText ? 'csv' : packed;
  const unpacked = container === 'zip' || isJsonText ? await spill() : undefined;
  const close = async () => {
    if (unpacked !== undefined) await rm(unpacked, { force: true });
  };
  try {
    const content =
      isJsonText && unpacked !== undefined
        ? await wrapGzipErrors(
            name,
            jsonToCsv(
              filePath,
              { name, isGzip: packed === 'csv.gz', target: unpacked },
              jsonTables,
            ),
          )
        : await readContent(filePath, name, container, unpacked);
    if (content.rowCount <= 0) {
      throw new SourceFormatError(name, 'has no rows');
    }
    const file = { path: unpacked ?? filePath, name, bytes, container, ...content, close };
    return isJsonText ? { ...file, isJson: true } : file;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A missing file is a `SourceFormatError`, because a retry cannot help. */
async function readSize(filePath: string, name: string): Promise<number> {
  const stats = await stat(filePath).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (!stats) {
    throw new SourceFormatError(name, `there is no file ${filePath}`);
  }
  if (!stats.isFile()) {
    throw new SourceFormatError(name, 'is a folder or a device, not a file');
  }
  return stats.size;
}

function readContent(
  filePath: string,
  name: string,
  container: SourceFile['container'],
  unpacked: string | undefined,
) {
  if (container === 'parquet') {
    return wrapReadErrors(name, () => inspectParquet(filePath, name));
  }
  return unpacked === undefined
    ? inspectCsv(filePath, name, container === 'csv.gz')
    : inspectZip(filePath, name, unpacked);
}

async function inspectParquet(filePath: string, name: string) {
  const db = await openDatabase({ threads: 1 });
  try {
    const columns = await db.rows<{ name: string }>(
      'select name from parquet_schema($file) where num_children is null',
      { file: filePath },
    );
    const counts = await db.rows<{ rowCount: number }>(
      'select num_rows as "rowCount" from parquet_file_metadata($file)',
      { file: filePath },
    );
    await checkParquetPages(db, filePath, name);
    return {
      sha256: await fileSha256(filePath),
      header: columns.map((column) => column.name),
      rowCount: counts[0]?.rowCount ?? 0,
      delimiter: ',' as const,
      prologueLines: 0,
      blankLines: [],
    };
  } finally {
    db.close();
  }
}

async function inspectZip(filePath: string, name: string, unpacked: string) {
  const scan = startLineScan(name);
  await unzipCsv(filePath, unpacked, scan.push);
  return { sha256: await fileSha256(filePath), ...parseTable(name, scan.end()) };
}

async function inspectCsv(filePath: string, name: string, isGzip: boolean) {
  const hash = createHash('sha256');
  const scan = startLineScan(name);
  let packedBytes = 0;
  let textBytes = 0;
  const count = (chunk: Buffer) => {
    textBytes += chunk.length;
    if (isGzip) checkUnpackedSize(name, textBytes, packedBytes);
    scan.push(chunk);
  };
  const reading = pipeline(
    createReadStream(filePath, { highWaterMark: READ_BYTES }),
    tap((chunk) => {
      packedBytes += chunk.length;
      hash.update(chunk);
    }),
    isGzip ? createGunzip({ chunkSize: READ_BYTES }) : new PassThrough(),
    tap(count),
    drain,
  );
  await wrapGzipErrors(name, reading);
  return { sha256: hash.digest('hex'), ...parseTable(name, scan.end()) };
}

async function wrapGzipErrors<T>(name: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && isZlibCode(error.code)) {
      throw new SourceFormatError(name, `is damaged gzip: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of chunks);
}

function isZlibCode(code: unknown): boolean {
  return typeof code === 'string' && code.startsWith('Z_');
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { SourceFormatError } from '../../pipelines/errors.ts';
import type { SourceFile } from '../../pipelines/flights/ingest.ts';
import { openDatabase } from '../connect.ts';
import { fileSha256 } from '../sha256.ts';
import { startLineScan } from './line-scan.ts';
import { reading } from './reading.ts';

const READ_BYTES = 1024 * 1024;

/**
 * Reads a file through once: what it is, its hash, its columns and how many rows it must give.
 * DuckDB takes truncated and damaged gzip without a word, so it is checked here to its last byte.
 */
export async function inspect(filePath: string): Promise<SourceFile> {
  const name = path.basename(filePath);
  const { size: bytes } = await stat(filePath);
  const container = await containerOf(filePath, name, bytes);
  const content =
    container === 'parquet'
      ? await reading(name, () => inspectParquet(filePath))
      : await inspectCsv(filePath, name, container === 'csv.gz');
  if (content.rowCount <= 0) {
    throw new SourceFormatError(name, 'has no rows');
  }
  return { path: filePath, name, bytes, container, ...content };
}

async function containerOf(
  filePath: string,
  name: string,
  bytes: number,
): Promise<SourceFile['container']> {
  if (bytes === 0) {
    throw new SourceFormatError(name, 'is empty');
  }
  await using file = await open(filePath);
  const at = async (position: number) =>
    (await file.read(Buffer.alloc(4), 0, 4, position)).buffer.toString('latin1');
  const magic = await at(0);
  if (magic === 'PAR1') {
    // A Parquet file ends in the bytes it starts with; its footer is just before.
    if (bytes < 12 || (await at(bytes - 4)) !== 'PAR1') {
      throw new SourceFormatError(name, 'is a Parquet file cut short');
    }
    return 'parquet';
  }
  if (magic === 'PK\u0003\u0004') {
    throw new SourceFormatError(name, 'is a zip archive, not a CSV or Parquet file');
  }
  return magic.startsWith('\u001F\u008B') ? 'csv.gz' : 'csv';
}

async function inspectParquet(filePath: string) {
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
    return {
      sha256: await fileSha256(filePath),
      header: columns.map(({ name }) => name),
      rowCount: counts[0]?.rowCount ?? 0,
      blankLines: [],
    };
  } finally {
    db.close();
  }
}

async function inspectCsv(filePath: string, name: string, isGzip: boolean) {
  const hash = createHash('sha256');
  const scan = startLineScan();
  try {
    await pipeline(
      createReadStream(filePath, { highWaterMark: READ_BYTES }),
      tap((chunk) => hash.update(chunk)),
      isGzip ? createGunzip({ chunkSize: READ_BYTES }) : new PassThrough(),
      tap(scan.push),
      drain,
    );
  } catch (error) {
    if (isGzip && error instanceof Error && 'code' in error && isZlibCode(error.code)) {
      throw new SourceFormatError(name, `is damaged gzip: ${error.message}`, { cause: error });
    }
    throw error;
  }
  const { firstLine, lineCount, blankLines, lineEnds } = scan.end();
  return {
    sha256: hash.digest('hex'),
    header: headerOf(name, firstLine, lineEnds, blankLines),
    rowCount: lineCount - 1,
    blankLines,
  };
}

/** A stream step that shows each chunk to `see` and hands it on. */
function tap(see: (chunk: Buffer) => void) {
  return async function* seen(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      see(chunk);
      yield chunk;
    }
  };
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of chunks);
}

function isZlibCode(code: unknown): boolean {
  return typeof code === 'string' && code.startsWith('Z_');
}

function headerOf(
  name: string,
  firstLine: string | undefined,
  lineEnds: { lf: number; crlf: number },
  blankLines: number[],
): string[] {
  if (firstLine === undefined || firstLine.includes('\0')) {
    throw new SourceFormatError(name, 'is not UTF-8 text in lines');
  }
  if (firstLine.includes('\r')) {
    throw new SourceFormatError(name, 'ends its lines in CR alone; LF or CR LF are read');
  }
  if (/^\uFEFF?\s*</.test(firstLine)) {
    throw new SourceFormatError(name, 'looks like HTML or XML, not CSV');
  }
  if (blankLines[0] === 1) {
    throw new SourceFormatError(name, 'starts with a blank line, not a header');
  }
  if (lineEnds.lf > 0 && lineEnds.crlf > 0) {
    throw new SourceFormatError(
      name,
      `mixes line ends: ${lineEnds.crlf} lines end in CR LF, ${lineEnds.lf} in LF`,
    );
  }
  return splitHeader(firstLine.replace(/^\uFEFF/, ''));
}

/** Column names of a CSV header; a comma at its end makes a last column without a name. */
function splitHeader(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return Array.from(cells, ([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}

import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { SourceFormatError } from '../errors.ts';
import type { Database } from '../connect.ts';

/** Position of the pages of one column in a row group. */
type Chunk = { column: string; start: number; bytes: number };

/** The fields of a page header that are needed here. */
type PageHeader = { length: number; pageBytes: number; crc: number | undefined };

/** Type numbers of Thrift's compact protocol, in which Parquet writes page headers. */
const [STOP, TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT] = [0, 1, 2, 3, 7, 8, 9, 10, 12];
/** Field numbers of a page header: the size of the page, and its optional CRC-32. */
const [COMPRESSED_SIZE, CRC] = [3, 4];

/**
 * Compares the pages of a Parquet file with their checksums, which DuckDB ignores. Throws `SourceFormatError` if a page
 * is damaged. Returns the number of pages with a checksum; many writers write no checksums. In a page without a
 * checksum, a flipped bit can give another valid value, which only the checksum of the whole file can reveal.
 */
export async function checkParquetPages(
  db: Database,
  filePath: string,
  name: string,
): Promise<number> {
  const chunks = await db.rows<Chunk>(
    `select
        path_in_schema as "column",
        -- Some writers write 0 for a missing dictionary.
        if(dictionary_page_offset > 0, least(dictionary_page_offset, data_page_offset), data_page_offset) as start,
        total_compressed_size as bytes
      from parquet_metadata($file)`,
    { file: filePath },
  );
  const file = await open(filePath);
  let checked = 0;
  try {
    const { size } = await file.stat();
    for (const chunk of chunks) {
      if (!isInside(chunk, size)) {
        throw new SourceFormatError(
          name,
          `is damaged: its footer places the column ${chunk.column} outside the file`,
        );
      }
      const pages = await checkChunk(file, chunk, name);
      // A writer writes the checksums of all pages or of no page, so the other columns need not be read.
      if (pages === 0) return checked;
      checked += pages;
    }
  } finally {
    await file.close();
  }
  return checked;
}

function isInside({ start, bytes }: Chunk, size: number): boolean {
  return start >= 0 && bytes >= 0 && start + bytes <= size;
}

async function checkChunk(
  file: FileHandle,
  { column, start, bytes }: Chunk,
  name: string,
): Promise<number> {
  const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
  let checked = 0;
  for (let at = 0; at < bytes;) {
    const header = readHeader(buffer.subarray(at));
    const pageAt = at + (header?.length ?? 0);
    const end = pageAt + (header?.pageBytes ?? Infinity);
    if (header === undefined || end > bytes) {
      // A file without checksums is left to DuckDB, which may still be able to read the page.
      if (checked > 0) throw damaged(name, column);
      return 0;
    }
    at = end;
    if (header.crc === undefined) continue;
    if (crc32(buffer.subarray(pageAt, at)) !== header.crc >>> 0) throw damaged(name, column);
    checked += 1;
  }
  return checked;
}

function damaged(name: string, column: string): SourceFormatError {
  return new SourceFormatError(
    name,
    `is damaged: a page of the column ${column} does not match its checksum`,
  );
}

/** Reads a page header; undefined if the bytes are not a page header. */
function readHeader(bytes: Buffer): PageHeader | undefined {
  try {
    const reader = { bytes, at: 0 };
    const fields = readStruct(reader);
    const pageBytes = fields.get(COMPRESSED_SIZE);
    if (pageBytes === undefined || pageBytes < 0) return undefined;
    return { length: reader.at, pageBytes, crc: fields.get(CRC) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Reader = { bytes: Buffer; at: number };

/** Reads a struct and returns its integer fields. Skips all other fields. */
function readStruct(reader: Reader): Map<number, number> {
  const integers = new Map<number, number>();
  let field = 0;
  for (;;) {
    const head = readByte(reader);
    const type = head & 15;
    if (type === STOP) return integers;
    const step = head >> 4;
    field = step === 0 ? readInteger(reader) : field + step;
    const value = readValue(reader, type);
    if (value !== undefined) integers.set(field, value);
  }
}

/** Reads a value and returns it if it is an integer. Other values are skipped. */
function readValue(reader: Reader, type: number): number | undefined {
  if (type === TRUE || type === FALSE) return undefined;
  if (type === BYTE) return readByte(reader);
  if (type > BYTE && type < DOUBLE) return readInteger(reader);
  if (type === DOUBLE) skipBytes(reader, 8);
  else if (type === BINARY) skipBinary(reader);
  else if (type === LIST || type === SET) skipList(reader);
  else if (type === STRUCT) readStruct(reader);
  else throw new RangeError(`type ${type}`);
  return undefined;
}

function skipBinary(reader: Reader): void {
  skipBytes(reader, readVarint(reader));
}

function skipBytes(reader: Reader, count: number): void {
  if (reader.at + count > reader.bytes.length) throw new RangeError('the header is cut off');
  reader.at += count;
}

function skipList(reader: Reader): void {
  const head = readByte(reader);
  const short = head >> 4;
  const length = short === 15 ? readVarint(reader) : short;
  for (let item = 0; item < length; item += 1) {
    // In a list, each boolean takes one byte.
    if ((head & 15) <= FALSE) readByte(reader);
    else readValue(reader, head & 15);
  }
}

/** Reads an integer in zigzag encoding. */
function readInteger(reader: Reader): number {
  const value = readVarint(reader);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function readVarint(reader: Reader): number {
  let value = 0;
  for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
    const byte = readByte(reader);
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
  throw new RangeError('a number is too long');
}

function readByte(reader: Reader): number {
  const byte = reader.bytes[reader.at];
  if (byte === undefined) throw new RangeError('the header is cut off');
  reader.at += 1;
  return byte;
}

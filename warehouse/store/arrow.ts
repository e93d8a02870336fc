import { isAscii } from 'node:buffer';
import {
  Field,
  Float32,
  List,
  makeData,
  makeVector,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  type Data,
  type Vector,
} from 'apache-arrow';
import type { ColumnType } from './tables.ts';

type Value = string | number | null;

export type Row = Record<string, Value | readonly number[]>;

/**
 * Encodes rows as an Arrow IPC file; equal rows give equal bytes. Throws if a value does not have the type of its
 * column.
 */
export function encodeTable(rows: Row[], columns: Record<string, ColumnType>): Uint8Array {
  const vectors: Record<string, Vector> = {};
  for (const [name, type] of Object.entries(columns)) {
    vectors[name] =
      type === 'singles'
        ? listVector(rows.map((row) => checkList(row[name], name)))
        : columnVector(
            rows.map((row) => checkValue(row[name], name, type)),
            type,
          );
  }
  return tableToIPC(new Table(vectors), 'file');
}

/** The bytes of all texts, one after another. Text `i` is at `[offsets[i], offsets[i + 1])`. */
export type TextBytes = { values: Uint8Array; offsets: Int32Array };

/** The numbers of all rows, one after another. The numbers of row `i` are at `[offsets[i], offsets[i + 1])`. */
export type Lists = { values: Float32Array; offsets: Int32Array };

export type Columns = {
  rowCount: number;
  text: (name: string) => string[];
  /**
   * Returns a text column as bytes that share the memory of the file. Use it for columns that are too long to convert
   * to strings.
   */
  bytes: (name: string) => TextBytes;
  /** Returns a copy of a number column. Without a copy, the whole file would stay in memory. */
  numbers: (name: string) => Float64Array | Float32Array | Int32Array;
  /**
   * Returns a list column that shares the memory of the file, so the file stays in memory. Use it for tables that
   * consist mostly of this column.
   */
  lists: (name: string) => Lists;
  /** Returns all rows as plain objects, for small tables without lists. */
  rows: () => Record<string, Value>[];
};

/** Returns readers for the columns of an Arrow IPC file; throws if a named column is missing or has another type. */
export function decodeTable(bytes: Uint8Array, columns: Record<string, ColumnType>): Columns {
  const table = tableFromIPC(bytes);
  for (const [name, type] of Object.entries(columns)) {
    const actual = table.getChild(name)?.type;
    if (String(actual) !== ARROW_TYPES[type]) {
      throw new TypeError(`column ${name} is ${actual ?? 'missing'}, not ${type}`);
    }
  }
  return {
    rowCount: table.numRows,
    text: (name) => (table.getChild(name)?.data ?? []).flatMap((chunk) => textOf(chunk)),
    bytes: (name) => bytesOf(table.getChild(name)?.data ?? []),
    numbers: (name) => table.getChild(name)?.toArray().slice(),
    lists: (name) => listsOf(table.getChild(name)?.data ?? []),
    rows: () => rowsOf(table),
  };
}

/** Builds rows column by column, because Arrow's own rows look up each value by its name. */
function rowsOf(table: Table): Record<string, Value>[] {
  const rows: Record<string, Value>[] = Array.from({ length: table.numRows }, () => ({}));
  for (const { name } of table.schema.fields) {
    const column = table.getChild(name);
    const isText = String(column?.type) === ARROW_TYPES.text;
    const values = isText ? (column?.data ?? []).flatMap((chunk) => textOf(chunk)) : column;
    let row = 0;
    for (const value of values ?? []) (rows[row++] as Record<string, Value>)[name] = value;
  }
  return rows;
}

const NON_ASCII = /[\u0080-\u00ff]/;

/**
 * Returns the strings of a text column. If all texts are ASCII, such as codes and most names, they are decoded as one
 * text and then sliced. This takes a tenth of the time, which matters because requests wait while a store is opened.
 * Other texts are decoded one by one.
 */
function textOf({ values, valueOffsets, length }: Data<Utf8>): string[] {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const allText = bytes.toString('latin1');
  const isPlain = isAscii(bytes);
  const strings: string[] = [];
  for (let row = 0; row < length; row++) {
    const [from, to] = [valueOffsets[row], valueOffsets[row + 1]];
    const text = allText.slice(from, to);
    const isText = isPlain || !NON_ASCII.test(text);
    strings.push(isText ? text : bytes.toString('utf8', from, to));
  }
  return strings;
}

function bytesOf(chunks: readonly Data<Utf8>[]): TextBytes {
  const chunk = singleChunk(chunks);
  if (!chunk) return { values: new Uint8Array(), offsets: new Int32Array(1) };
  return { values: chunk.values, offsets: chunk.valueOffsets };
}

function listsOf(chunks: readonly Data<List<Float32>>[]): Lists {
  const chunk = singleChunk(chunks);
  if (!chunk) return { values: new Float32Array(), offsets: new Int32Array(1) };
  const { valueOffsets: offsets, length, children } = chunk;
  return { values: children[0]?.values.subarray(0, offsets[length]), offsets };
}

/** Returns the only chunk of a column, because our files have a single batch. */
function singleChunk<Chunk>([chunk, ...more]: readonly Chunk[]): Chunk | undefined {
  if (more.length > 0) throw new TypeError('the table is in several batches');
  return chunk;
}

const ARROW_TYPES: Record<ColumnType, string> = {
  text: 'Utf8',
  integer: 'Int32',
  number: 'Float64',
  single: 'Float32',
  singles: 'List<Float32>',
  'number?': 'Float64',
};

function columnVector(values: (string | number)[], type: ColumnType): Vector {
  if (type === 'text') return textVector(values as string[]);
  if (type === 'integer') return makeVector(Int32Array.from(values as number[]));
  if (type === 'single') return makeVector(Float32Array.from(values as number[]));
  return makeVector(Float64Array.from(values as number[]));
}

/**
 * Encodes all texts as one text. For the names of all airports, this takes a tenth of the time of encoding them one by
 * one.
 */
function textVector(texts: string[]): Vector<Utf8> {
  const allText = texts.join('');
  const data = Buffer.from(allText);
  const isOneByteEach = data.length === allText.length;
  const valueOffsets = new Int32Array(texts.length + 1);
  for (const [row, text] of texts.entries()) {
    const bytes = isOneByteEach ? text.length : Buffer.byteLength(text);
    valueOffsets[row + 1] = (valueOffsets[row] as number) + bytes;
  }
  const length = texts.length;
  return makeVector(makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data }));
}

function listVector(lists: (readonly number[])[]): Vector<List<Float32>> {
  const valueOffsets = new Int32Array(lists.length + 1);
  for (const [row, { length }] of lists.entries()) {
    valueOffsets[row + 1] = (valueOffsets[row] as number) + length;
  }
  const child = makeData({ type: new Float32(), data: Float32Array.from(lists.flat()) });
  const type = new List(new Field('item', new Float32(), false));
  return makeVector(makeData({ type, length: lists.length, nullCount: 0, valueOffsets, child }));
}

function checkList(value: unknown, name: string): readonly number[] {
  if (!Array.isArray(value)) throw new TypeError(`column ${name}: ${String(value)} is not a list`);
  for (const one of value) checkValue(one, name, 'single');
  return value as number[];
}

function checkValue(value: unknown, name: string, type: ColumnType): string | number {
  // Stores NaN for a missing value. Arrow's null would need a second look-up for each value.
  if (type === 'number?' && value === null) return NaN;
  const isValid =
    type === 'text'
      ? typeof value === 'string'
      : Number.isFinite(value) && (type !== 'integer' || Math.abs(value as number) < 2 ** 31);
  if (!isValid) throw new TypeError(`column ${name}: ${String(value)} is not ${type}`);
  return value as string | number;
}

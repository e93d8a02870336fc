import { open } from 'node:fs/promises';
import { SourceFormatError } from '../errors.ts';
import type { SourceFile } from './extract-deps.ts';

/** First bytes of files that are often sent although they are no tables: archives and PDF. */
const FOREIGN = ['7z\u00BC\u00AF', 'Rar!', 'BZh', '\u00FD7zX', '\u0028\u00B5\u002F\u00FD', '%PDF'];

/** Signatures of a zip entry, an empty zip, and a zip in several parts. */
const ZIP = ['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008'];

/** Detects the format of a file by its first bytes, ignoring its name. An unknown format may be CSV. */
export async function detectContainer(
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
    // A Parquet file starts and ends with `PAR1`. The end, with the footer, is missing in a truncated file.
    if (bytes < 12 || (await at(bytes - 4)) !== 'PAR1') {
      throw new SourceFormatError(name, 'is a Parquet file cut short');
    }
    return 'parquet';
  }
  if (FOREIGN.some((start) => magic.startsWith(start))) {
    throw new SourceFormatError(name, 'is not a CSV, gzip, zip or Parquet file');
  }
  if (ZIP.includes(magic)) {
    return 'zip';
  }
  return magic.startsWith('\u001F\u008B') ? 'csv.gz' : 'csv';
}

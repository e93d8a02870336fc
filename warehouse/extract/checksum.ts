import path from 'node:path';
import { SourceFormatError } from '../../pipelines/errors.ts';
import { readIfThere } from '../ground/files.ts';

/**
 * The SHA-256 in `<file>.sha256`, as sha256sum writes it or alone; undefined where there is no such file. Throws
 * SourceFormatError when it holds none for this file.
 */
export async function checksumBeside(filePath: string): Promise<string | undefined> {
  const name = path.basename(filePath);
  const text = (await readIfThere(`${filePath}.sha256`))?.toString();
  if (text === undefined) return undefined;
  const lines = text.trim().split('\n');
  const own = lines.length === 1 ? lines[0] : lines.find((line) => line.trimEnd().endsWith(name));
  const found = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i.exec(own ?? '');
  if (!found) throw new SourceFormatError(name, `${name}.sha256 holds no sha256 of it`);
  return found[0].toLowerCase();
}

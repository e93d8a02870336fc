import path from 'node:path';
import { SourceFormatError } from '../errors.ts';
import { readIfExists } from '../ground/files.ts';

/**
 * Reads the SHA-256 from `<file>.sha256`, written by sha256sum or as the bare hash; undefined if there is no such file.
 * Throws `SourceFormatError` if `<file>.sha256` has no hash for this file.
 */
export async function readChecksumFile(filePath: string): Promise<string | undefined> {
  const name = path.basename(filePath);
  const text = (await readIfExists(`${filePath}.sha256`))?.toString();
  if (text === undefined) return undefined;
  const lines = text.trim().split('\n');
  const ownLine =
    lines.length === 1 ? lines[0] : lines.find((line) => line.trimEnd().endsWith(name));
  const match = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i.exec(ownLine ?? '');
  if (!match) throw new SourceFormatError(name, `${name}.sha256 has no SHA-256 of this file`);
  return match[0].toLowerCase();
}

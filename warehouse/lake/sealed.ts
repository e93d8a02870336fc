import { readIfExists } from '../ground/files.ts';
import { sha256 } from '../ground/hashes.ts';
import { CorruptFileError } from '../errors.ts';

/** Formats a manifest as JSON that contains a sha256 of its own content, so that any change can be detected. */
export function sealJson(manifest: object): string {
  const hash = sha256(JSON.stringify(manifest));
  return `${JSON.stringify({ ...manifest, seal: hash }, null, 2)}\n`;
}

/**
 * Reads a file that `sealJson` formatted; undefined if the file does not exist. Throws `CorruptFileError` if the file
 * was changed. `remedy` is the end of the error message.
 */
export async function readSealed<Manifest extends object>(
  file: string,
  remedy: string,
): Promise<Manifest | undefined> {
  const text = (await readIfExists(file))?.toString();
  return text === undefined ? undefined : parseSealed<Manifest>(text, file, remedy);
}

/**
 * Parses a text that `sealJson` formatted. Throws `CorruptFileError` if the text was changed; `file` is its name in the
 * error message.
 */
export function parseSealed<Manifest extends object>(
  text: string,
  file: string,
  remedy: string,
): Manifest {
  let content: Manifest & { seal?: string };
  try {
    content = JSON.parse(text) as Manifest & { seal?: string };
  } catch (error) {
    throw new CorruptFileError(file, 'not JSON', { cause: error });
  }
  const { seal: _, ...manifest } = content;
  // The whole text is compared, so that even changed white space is detected.
  if (sealJson(manifest) !== text) {
    throw new CorruptFileError(file, `changed after it was written: ${remedy}`);
  }
  return manifest as unknown as Manifest;
}

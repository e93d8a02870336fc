import { readIfThere } from '../ground/files.ts';
import { sha256 } from '../ground/sha256.ts';
import { CorruptFileError } from '../errors.ts';

/** Text of a manifest: its JSON, and the sha256 of it, so that any change of it shows. */
export function sealed(manifest: object): string {
  const seal = sha256(JSON.stringify(manifest));
  return `${JSON.stringify({ ...manifest, seal }, null, 2)}\n`;
}

/**
 * What was sealed in a file, undefined when there is no such file. Throws `CorruptFileError` when it is not what was
 * sealed; `remedy` says what the reader can do about it.
 */
export async function readSealed<Manifest extends object>(
  file: string,
  remedy: string,
): Promise<Manifest | undefined> {
  const text = (await readIfThere(file))?.toString();
  return text === undefined ? undefined : unsealed<Manifest>(text, file, remedy);
}

/** What was sealed in a text; throws `CorruptFileError`, naming the file it is of, when it is not what was sealed. */
export function unsealed<Manifest extends object>(
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
  // The text itself is compared, so that no change of it goes unseen.
  if (sealed(manifest) !== text) {
    throw new CorruptFileError(file, `not what was sealed: ${remedy}`);
  }
  return manifest as unknown as Manifest;
}

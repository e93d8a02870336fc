import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The regular files in a folder and its subfolders, by their path relative to the folder. */
export type FolderFiles = Map<string, Uint8Array>;

/** Reads the folder, for `oncePerRun`. */
export async function readFolder(folder: string): Promise<FolderFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        return [path.relative(folder, file), await readFile(file)] as const;
      }),
    ),
  );
}

/** Writes the files into a folder, which may exist; other files in it stay. */
export async function writeFolder(folder: string, files: FolderFiles): Promise<void> {
  for (const [name, bytes] of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}

import { statfs } from 'node:fs/promises';

export type DiskSpace = { freeBytes: number; sizeBytes: number };

/** Returns the free bytes and the size of a folder's disk; undefined if the bytes and the size cannot be read. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | undefined> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
}

/** Describes a shortage of disk space; undefined if enough is free. */
export async function findDiskShortage(
  folder: string,
  minFreeBytes: number,
): Promise<string | undefined> {
  const space = await readDiskSpace(folder);
  if (space === undefined || space.freeBytes >= minFreeBytes) return undefined;
  return `${formatShortage({ ...space, minFreeBytes })} on the disk of ${folder}`;
}

/** Formats a shortage: `312 MB free, 500 MB required (MIN_FREE_MB)`. */
export function formatShortage({
  freeBytes,
  minFreeBytes,
}: Pick<DiskSpace, 'freeBytes'> & { minFreeBytes: number }): string {
  const [free, required] = [freeBytes, minFreeBytes].map((bytes) => Math.floor(bytes / 1_000_000));
  return `${free} MB free, ${required} MB required (MIN_FREE_MB)`;
}

import { statfs } from 'node:fs/promises';

export type DiskRoom = { freeBytes: number; sizeBytes: number };

/** Bytes free for us on the disk of a folder, and all it has; undefined where that cannot be told. */
export async function diskRoom(folder: string): Promise<DiskRoom | undefined> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
}

/** Says what is free, and what is wanted, of a disk that has too little room; undefined for one that has enough. */
export async function shortOfRoom(
  folder: string,
  minFreeBytes: number,
): Promise<string | undefined> {
  const room = await diskRoom(folder);
  if (room === undefined || room.freeBytes >= minFreeBytes) return undefined;
  return `${shortText({ ...room, minFreeBytes })} on the disk of ${folder}`;
}

/** How short a disk is: `312 MB free, 500 wanted (MIN_FREE_MB)`. */
export function shortText({
  freeBytes,
  minFreeBytes,
}: Pick<DiskRoom, 'freeBytes'> & { minFreeBytes: number }): string {
  const [free, wanted] = [freeBytes, minFreeBytes].map((bytes) => Math.floor(bytes / 1_000_000));
  return `${free} MB free, ${wanted} wanted (MIN_FREE_MB)`;
}

import { statfs } from 'node:fs/promises';

export type DiskRoom = { freeBytes: number; sizeBytes: number };

/** Bytes free for us on the disk of a folder, and all it has; undefined where that cannot be told. */
export async function diskRoom(folder: string): Promise<DiskRoom | undefined> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
}

import { statfs } from 'node:fs/promises';
import { FREE_SPACE_HINT } from '../../warehouse/ground/files.ts';

export type DiskSpace = { freeBytes: number; sizeBytes: number };

/** The fields of a job from which its disk space is estimated. */
export type DiskJob = { name: string; data: unknown };

/** Functions with which a worker detects a shortage of disk space. */
export type DiskWatch = {
  /** Describes why the disk has too little space for the job; undefined if it has enough. */
  findShortage: (job: DiskJob) => Promise<string | undefined>;
  /** Describes why running jobs must end. Undefined if they can continue. */
  findEmergency: () => Promise<string | undefined>;
};

/**
 * Free bytes below which a running job is ended. `jobs/config.ts` sets how many bytes must be free when a job starts.
 * The remaining bytes are for Redis and for the end of the job.
 */
const EMERGENCY_BYTES = 48_000_000;

/** Returns the free bytes and the size of a folder's disk; undefined if the bytes and the size cannot be read. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | undefined> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
}

/**
 * Describes a shortage of disk space for work that needs `needBytes` in addition to the bytes that must stay free;
 * undefined if enough is free.
 */
export async function findDiskShortage(
  folder: string,
  minFreeBytes: number,
  needBytes: number = 0,
): Promise<string | undefined> {
  const space = await readDiskSpace(folder);
  if (space === undefined || space.freeBytes >= minFreeBytes + needBytes) return undefined;
  const { freeBytes } = space;
  const place = `on the disk of ${folder}`;
  if (freeBytes < minFreeBytes) return `${formatShortage({ freeBytes, minFreeBytes })} ${place}`;
  const [need, free, min] = [needBytes, freeBytes, minFreeBytes].map(megabytes);
  return `the job needs about ${need} MB, and ${free} MB are free ${place}; ${min} MB of these must stay free (MIN_FREE_MB). ${FREE_SPACE_HINT}`;
}

/** Describes a shortage that ends running jobs, because Redis would soon have no space; undefined without shortage. */
export async function findDiskEmergency(folder: string): Promise<string | undefined> {
  const space = await readDiskSpace(folder);
  if (space === undefined || space.freeBytes >= EMERGENCY_BYTES) return undefined;
  return `only ${megabytes(space.freeBytes)} MB are left on the disk of ${folder}, and Redis needs them`;
}

/** Formats a shortage: `312 MB free, 500 MB required (MIN_FREE_MB)`. */
export function formatShortage({
  freeBytes,
  minFreeBytes,
}: Pick<DiskSpace, 'freeBytes'> & { minFreeBytes: number }): string {
  return `${megabytes(freeBytes)} MB free, ${megabytes(minFreeBytes)} MB required (MIN_FREE_MB)`;
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}

import { rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { listNames, statIfExists, sweep } from '../ground/files.ts';
import { sum } from '../ground/numbers.ts';
import { partName, partsDir, readDay, statesDir, UNRECORDED_MS } from './live-archive.ts';

/** Default maximum size of the archive of live data in bytes. */
export const LIVE_ARCHIVE_BYTES = 5_000_000_000;

export type LimitDeps = {
  maxBytes: number;
  /** Minimum number of free bytes on the disk. If fewer bytes are free, the archive is made smaller. */
  minFreeBytes: number;
  now: Date;
  /** Free bytes on the disk of the archive; undefined if unknown. */
  freeBytes?: (folder: string) => Promise<number | undefined>;
};

/**
 * Removes the oldest days of the archive until the archive is within its limit and the disk has enough free space. If
 * even the removal of the whole archive would not free enough space, applies only the archive's own limit. Never
 * removes the newest day. Returns the removed days, `YYYY-MM-DD`, because signed answers of these days cannot be
 * computed again.
 */
export async function limitLiveArchive(
  liveDir: string,
  { maxBytes, minFreeBytes, now, freeBytes = readFreeBytes }: LimitDeps,
): Promise<string[]> {
  const sizes = new Map<string, number>();
  for (const name of await listNames(partsDir(liveDir))) {
    sizes.set(name, (await statIfExists(path.join(partsDir(liveDir), name)))?.size ?? 0);
  }
  const bytes = sum([...sizes.values()]);
  const free = (await freeBytes(liveDir)) ?? Infinity;
  const shortage = minFreeBytes - free;
  // If the missing space exceeds the size of the archive, deleting the archive would not help.
  const limit = shortage > bytes ? maxBytes : Math.min(maxBytes, bytes - shortage);
  if (bytes <= limit) return [];
  const newestFirst = (await listNames(statesDir(liveDir))).toSorted().toReversed();
  const kept = new Set<string>();
  const removed: string[] = [];
  let keptBytes = 0;
  for (const [at, name] of newestFirst.entries()) {
    const added = (await partsOfDay(liveDir, name)).difference(kept);
    const addedBytes = sum([...added].map((part) => sizes.get(part) ?? 0));
    // Once a day is removed, all older days are removed too.
    if (at > 0 && (removed.length > 0 || keptBytes + addedBytes > limit)) {
      removed.push(path.basename(name, '.ndjson'));
      await rm(path.join(statesDir(liveDir), name), { force: true });
      continue;
    }
    keptBytes += addedBytes;
    for (const part of added) kept.add(part);
  }
  // Younger parts may belong to a process that has not recorded its state yet.
  await sweep(partsDir(liveDir), kept, new Date(now.getTime() - UNRECORDED_MS));
  return removed.toReversed();
}

async function partsOfDay(liveDir: string, name: string): Promise<Set<string>> {
  const states = await readDay(liveDir, name);
  const hashes = states.flatMap(({ forecasts, news, nas }) => [forecasts, news, nas]);
  return new Set(hashes.flatMap((hash) => (hash === null ? [] : [partName(hash)])));
}

async function readFreeBytes(folder: string): Promise<number | undefined> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk && disk.bavail * disk.bsize;
}

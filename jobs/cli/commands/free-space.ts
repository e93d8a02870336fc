import path from 'node:path';
import { listNames } from '../../../warehouse/ground/files.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import { measureBytes } from '../../../warehouse/ground/temporary.ts';
import { readDiskSpace } from '../../processes/disk-space.ts';
import { removeDispensable } from '../../wiring/tidy.ts';
import type { CommandContext } from '../context.ts';
import { countOf, size, table } from '../tables.ts';

/** Explains, for each entry of the data folder, how an operator can make the entry smaller. */
const HELP: Record<string, string> = {
  lake: 'former versions: KEEP_VERSIONS; months: make drop MONTH=',
  redis: 'keys, jobs and stores; Redis itself rewrites this file when it has grown',
  store: 'former stores, for rollbacks: KEEP_NEWEST, KEEP_DAILY, KEEP_WEEKLY',
  models: 'former models: KEEP_NEWEST, KEEP_DAILY, KEEP_WEEKLY',
  logs: 'logs that end in .1, .2 or .3 may be deleted',
  'warehouse-read.duckdb': 'may be deleted; each publish writes it again, for tools',
  'warehouse.duckdb': 'make rebuild writes it again from the lake',
};
/** Entries below this size are not listed. */
const LISTED_BYTES = 1_000_000;

/**
 * Deletes two kinds of files: files that can be fetched again, and temporary files of ended processes. Then lists what
 * else occupies the data folder. Works while Redis refuses writes. Returns 1 if jobs still cannot start.
 */
export async function freeSpace({
  config: { dataDir, minFreeBytes },
  out,
  now,
}: Pick<CommandContext, 'config' | 'out' | 'now'>): Promise<number> {
  const removed = await removeDispensable(dataDir, now());
  for (const file of removed) {
    out.write(`deleted ${path.relative(dataDir, file.path)} (${size(file.bytes)})\n`);
  }
  out.write(
    `${countOf(removed.length, 'file')}, ${size(sum(removed.map(({ bytes }) => bytes)))}\n\n`,
  );
  out.write(`${await remainingText(dataDir)}\n`);
  const space = await readDiskSpace(dataDir);
  if (!space) return 0;
  const { freeBytes, sizeBytes } = space;
  out.write(
    `${size(freeBytes)} of ${size(sizeBytes)} are free; jobs run only if ${size(minFreeBytes)} stay free\n`,
  );
  return freeBytes < minFreeBytes ? 1 : 0;
}

async function remainingText(dataDir: string): Promise<string> {
  const names = await listNames(dataDir);
  const entries = await Promise.all(
    names.map(async (name) => ({ name, bytes: await measureBytes(path.join(dataDir, name)) })),
  );
  const rows = entries
    .filter(({ bytes }) => bytes >= LISTED_BYTES)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => [name, size(bytes), HELP[name] ?? '']);
  return table(['remaining', 'size', 'to make it smaller'], rows);
}

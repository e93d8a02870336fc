import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  unlinkCopy,
  replaceLake,
  sharedLake,
  TREES,
  type SharedLakeOptions,
} from '../../../warehouse/lake/shared/shared-lake.ts';
import { listLocalUnits, parseMonthRef } from '../../../warehouse/lake/shared/units.ts';
import { verifyFiles } from '../../../warehouse/lake/verify.ts';
import type { ObjectsConfig } from '../../../warehouse/objects/open.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import { withTemporary } from '../../../warehouse/ground/temporary.ts';
import { CommandError } from '../../errors.ts';
import { readConfig } from '../../config.ts';
import { sharedLakeOptions } from '../../wiring/lake-home.ts';
import type { CommandContext } from '../context.ts';
import { withRedis } from '../lake-refresh.ts';
import { countOf, size } from '../tables.ts';

export type LakeCopyRequest = {
  /** Folder of a lake, such as `DATA_DIR/lake`, or `s3://bucket/prefix`. */
  from: string;
  to: string;
  /** Whether to replace a lake that has months. */
  force: boolean;
};

/**
 * Copies a lake from a folder to a bucket, from a bucket to a folder, or between two buckets. Copies the former
 * versions and the ledger too. Then verifies the copy. The source is not changed. Returns 1 if a file of the copy is
 * damaged.
 */
export async function lakeCopy(context: CommandContext, request: LakeCopyRequest): Promise<number> {
  const [from, to] = [placeOf(context, request.from), placeOf(context, request.to)];
  if (!from && !to) throw new CommandError('FROM or TO must be s3://bucket/prefix');
  return withRedis(context, async (redis) => {
    const options = (place: ObjectsConfig, lakeDir: string) =>
      sharedLakeOptions(context.config, place, redis, lakeDir);
    // A copy between two buckets passes through the temporary folder. A copy in a bucket is fetched into this folder
    // to be verified.
    return withTemporary(context.config.dataDir, async (temporary) => {
      await mkdir(temporary);
      const folder = from ? (to ? temporary : resolve(request.to)) : resolve(request.from);
      await refuseMonths(request, to ? { place: options(to, temporary) } : { folder });
      if (from) await fetchLake(options(from, folder), request.from);
      if (to) await replaceLake(options(to, folder));
      if (to && from) await unlinkCopy(folder);
      const back = join(temporary, 'back');
      if (to) await fetchLake(options(to, back), request.to);
      return verifyCopy(context, request, to ? back : folder);
    });
  });
}

function placeOf({ env }: CommandContext, text: string): ObjectsConfig | undefined {
  return text.startsWith('s3://') ? readConfig({ ...env, LAKE_URL: text }).lake : undefined;
}

/**
 * Fetches the whole lake from a place into the folder. Afterwards the folder is an ordinary lake, not a copy of that
 * place.
 */
async function fetchLake(options: SharedLakeOptions, name: string): Promise<void> {
  const lake = sharedLake(options);
  await lake.refresh();
  const units = await listLocalUnits(options.lakeDir);
  if (units.length === 0) throw new CommandError(`Nothing was copied: ${name} has no lake`);
  await lake.fetch(units);
  for (const unit of units) {
    const ref = parseMonthRef(unit);
    if (ref) await lake.fetchVersions(ref);
  }
  await unlinkCopy(options.lakeDir);
}

async function refuseMonths(
  { to, force }: LakeCopyRequest,
  target: { place: SharedLakeOptions } | { folder: string },
): Promise<void> {
  if (force) return;
  const units =
    'place' in target ? await sharedUnits(target.place) : await listLocalUnits(target.folder);
  if (units.length === 0) return;
  throw new CommandError(
    `Nothing was copied: ${to} already has ${countOf(units.length, 'month')}; FORCE=1 replaces them`,
  );
}

/** Lists the months of a place. Creates an empty lake if the place has no lake. */
async function sharedUnits({ pointers }: SharedLakeOptions): Promise<string[]> {
  await pointers.begin(TREES);
  return Object.keys((await pointers.readAll()).units);
}

/** Verifies every byte of the copy and prints the result. */
async function verifyCopy(
  { out }: CommandContext,
  { from, to }: LakeCopyRequest,
  lakeDir: string,
): Promise<number> {
  const missingDir = join(lakeDir, 'nowhere');
  const results = await verifyFiles({ lakeDir, storeDir: missingDir, downloadsDir: missingDir });
  const damaged = results.flatMap((result) =>
    result.damaged.map((name) => `${result.what} ${name}`),
  );
  for (const name of damaged) out.write(`${name} is damaged\n`);
  const currents = results.filter(({ what }) => what !== 'versions');
  const months = sum(currents.map(({ checked }) => checked));
  const bytes = sum(results.map((result) => result.bytes));
  const outcome = damaged.length > 0 ? `${countOf(damaged.length, 'file')} damaged` : 'verified';
  out.write(`Copied ${from} to ${to}: ${countOf(months, 'month')}, ${size(bytes)}, ${outcome}\n`);
  if (damaged.length > 0) return 1;
  out.write(
    to.startsWith('s3://')
      ? `Next: set LAKE_URL=${to} on every machine; if DATA_DIR/lake has another lake, move it away first\n`
      : `Next: use ${to} as DATA_DIR/lake, without LAKE_URL\n`,
  );
  return 0;
}

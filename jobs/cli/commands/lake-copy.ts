import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  leaveLake,
  replaceLake,
  sharedLake,
  TREES,
  type SharedLakeOptions,
} from '../../../warehouse/lake/shared/shared-lake.ts';
import { localUnits, refOf } from '../../../warehouse/lake/shared/units.ts';
import { verifyFiles } from '../../../warehouse/lake/verify.ts';
import type { ObjectsConfig } from '../../../warehouse/objects/open.ts';
import { sum } from '../../../warehouse/ground/sum.ts';
import { CommandError } from '../../errors.ts';
import { readConfig } from '../../config.ts';
import { sharedOptions } from '../../wiring/lake-home.ts';
import type { CommandContext } from '../context.ts';
import { withRedis } from '../lake-at-hand.ts';
import { count, size } from '../tables.ts';

export type LakeCopyRequest = {
  /** A folder that is a lake, such as `DATA_DIR/lake`, or `s3://bucket/prefix`. */
  from: string;
  to: string;
  /** Also over a lake that has months. */
  force: boolean;
};

/**
 * Copies a lake with its versions and its ledger from a folder into a bucket, out of one into a folder, or from one to another,
 * and reads all of it back. What is copied from stays as it is.
 */
export async function lakeCopy(context: CommandContext, request: LakeCopyRequest): Promise<number> {
  const [from, to] = [placeOf(context, request.from), placeOf(context, request.to)];
  if (!from && !to) throw new CommandError('FROM or TO has to be s3://bucket/prefix');
  return withRedis(context, async (redis) => {
    const options = (place: ObjectsConfig, lakeDir: string) =>
      sharedOptions(context.config, place, redis, lakeDir);
    // A folder of our own stands between two buckets, and reads back what a bucket was given.
    const between = await mkdtemp(join(context.config.dataDir, 'lake-copy-'));
    try {
      const folder = from ? (to ? between : resolve(request.to)) : resolve(request.from);
      await refuseMonths(request, to ? { place: options(to, between) } : { folder });
      if (from) await bring(options(from, folder), request.from);
      if (to) await replaceLake(options(to, folder));
      if (to && from) await leaveLake(folder);
      const back = join(between, 'back');
      if (to) await bring(options(to, back), request.to);
      return await told(context, request, to ? back : folder);
    } finally {
      await rm(between, { recursive: true, force: true });
    }
  });
}

function placeOf({ env }: CommandContext, text: string): ObjectsConfig | undefined {
  return text.startsWith('s3://') ? readConfig({ ...env, LAKE_URL: text }).lake : undefined;
}

/** Has the folder hold the whole lake of that place, and be one of its own. */
async function bring(options: SharedLakeOptions, name: string): Promise<void> {
  const lake = sharedLake(options);
  await lake.refresh();
  const units = await localUnits(options.lakeDir);
  if (units.length === 0) throw new CommandError(`${name} holds no lake`);
  await lake.fetch(units);
  for (const unit of units) {
    const ref = refOf(unit);
    if (ref) await lake.fetchVersions(ref);
  }
  await leaveLake(options.lakeDir);
}

async function refuseMonths(
  { to, force }: LakeCopyRequest,
  target: { place: SharedLakeOptions } | { folder: string },
): Promise<void> {
  if (force) return;
  const units =
    'place' in target ? await unitsThere(target.place) : await localUnits(target.folder);
  if (units.length === 0) return;
  throw new CommandError(
    `Nothing was copied: ${to} holds ${count(units.length)} months; FORCE=1 has the copy take their place`,
  );
}

/** The months of a place; of one that held no lake yet, it makes an empty one. */
async function unitsThere({ pointers }: SharedLakeOptions): Promise<string[]> {
  await pointers.begin(TREES);
  return Object.keys((await pointers.all()).units);
}

/** Reads every byte of the copy. */
async function told(
  { out }: CommandContext,
  { from, to }: LakeCopyRequest,
  lakeDir: string,
): Promise<number> {
  const nowhere = join(lakeDir, 'nowhere');
  const found = await verifyFiles({ lakeDir, storeDir: nowhere, downloadsDir: nowhere });
  const damaged = found.flatMap((one) => one.damaged.map((name) => `${one.what} ${name}`));
  for (const name of damaged) out.write(`${name} is not what was written\n`);
  const months = sum(found.filter(({ what }) => what !== 'versions').map((one) => one.checked));
  const bytes = sum(found.map((one) => one.bytes));
  out.write(`Copied ${from} to ${to}: ${count(months)} months, ${size(bytes)}, read back\n`);
  if (damaged.length > 0) return 1;
  out.write(
    to.startsWith('s3://')
      ? `Next: LAKE_URL=${to} on every machine; a folder that held another lake is to be moved away\n`
      : `Next: DATA_DIR/lake=${to}, without LAKE_URL\n`,
  );
  return 0;
}

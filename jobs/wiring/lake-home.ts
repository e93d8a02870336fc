import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { folderLake, type LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import { sharedShelf, withShelf, type Shelf } from '../../warehouse/lake/shared/shared-shelf.ts';
import { createPointers } from '../../warehouse/lake/shared/pointers.ts';
import {
  HOME_FILE,
  leaveLake,
  sharedLake,
  type SharedLakeOptions,
} from '../../warehouse/lake/shared/shared-lake.ts';
import { openObjects, type ObjectsConfig } from '../../warehouse/objects/open.ts';
import { within } from '../../warehouse/objects/within.ts';
import { dataPaths, type DataPaths } from '../../warehouse/paths.ts';
import { CommandError } from '../errors.ts';
import { withLock } from '../processes/lock.ts';

export type LakeHomeConfig = {
  /** Absolute. */
  dataDir: string;
  /** Absent: the lake is the folder. */
  lake?: ObjectsConfig | undefined;
  /** Replicas that must have a pointer that moved. */
  replicas?: number;
  now?: () => Date;
};

/** A month of 600,000 flights is written in seconds; a slow line may take minutes to bring it somewhere. */
const PATIENCE_MS = 15 * 60_000;

/** Where the months of this machine count. */
export function openLakeHome(config: LakeHomeConfig, redis: Redis): LakeHome {
  if (config.lake) {
    const lake = sharedLake(sharedOptions(config, config.lake, redis));
    return withShelf(lake, openShelf(config, config.lake, redis));
  }
  const paths = dataPaths(config.dataDir);
  refuseCopy(paths);
  return { ...folderLake(unitLock(paths)), choosing: (work) => choosingAlone(paths, work) };
}

/** What it takes to share a lake at that place. */
export function sharedOptions(
  { dataDir, replicas = 0, now = () => new Date() }: LakeHomeConfig,
  lake: ObjectsConfig,
  redis: Redis,
  lakeDir: string = dataPaths(dataDir).lakeDir,
): SharedLakeOptions {
  const objects = openObjects(lake);
  const pointers = createPointers(redis, objects, replicas);
  return { lakeDir, objects, pointers, lock: unitLock({ lakeDir }), now };
}

/** The models that go with a lake at that place. */
export function openShelf(
  { dataDir, replicas = 0, now = () => new Date() }: LakeHomeConfig,
  lake: ObjectsConfig,
  redis: Redis,
): Shelf {
  const paths = dataPaths(dataDir);
  const objects = within(openObjects(lake), 'models');
  const lock = unitLock(paths);
  return sharedShelf({
    folder: paths.modelsDir,
    objects,
    pointers: createPointers(redis, objects, replicas),
    lock: (work) => lock('models', work),
    now,
  });
}

/** Does the work on models of this machine alone: what it changes would be lost to a folder that is still a copy. */
export async function choosingAlone<T>(
  { modelsDir }: Pick<DataPaths, 'modelsDir'>,
  work: () => Promise<T>,
): Promise<T> {
  await leaveLake(modelsDir);
  return work();
}

/** Lets one process of this machine at a time replace a part of the lake. */
export function unitLock({ lakeDir }: Pick<DataPaths, 'lakeDir'>): LakeHome['alone'] {
  const folder = path.join(lakeDir, 'locks');
  return (unit, work) => {
    mkdirSync(folder, { recursive: true });
    const name = unit.replaceAll(/(?:source|year|month)=/g, '').replaceAll('/', '-');
    return withLock(path.join(folder, name), PATIENCE_MS, work);
  };
}

/** What a copy gets without its lake being set would be gone with the next look at that lake. */
export function refuseCopy({ lakeDir }: Pick<DataPaths, 'lakeDir'>): void {
  const file = path.join(lakeDir, HOME_FILE);
  if (!existsSync(file)) return;
  throw new CommandError(
    `${lakeDir} is the copy of a shared lake, but LAKE_URL is not set: set it, or remove ${file} to make the copy a lake of its own`,
  );
}

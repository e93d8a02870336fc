import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { folderLake, type LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import {
  sharedModelRegistry,
  withModelRegistry,
  type ModelRegistry,
} from '../../warehouse/lake/shared/shared-model-registry.ts';
import { createPointers } from '../../warehouse/lake/shared/pointers.ts';
import {
  HOME_FILE,
  unlinkCopy,
  sharedLake,
  type SharedLakeOptions,
} from '../../warehouse/lake/shared/shared-lake.ts';
import { openObjects, type ObjectsConfig, subfolderObjects } from '../../warehouse/objects/open.ts';
import { dataPaths, type DataPaths } from '../../warehouse/paths.ts';
import { CommandError } from '../errors.ts';
import { withLock } from '../processes/lock.ts';

export type LakeHomeConfig = {
  /** Absolute. */
  dataDir: string;
  /** If absent, the lake is the folder under `dataDir`. */
  lake?: ObjectsConfig | undefined;
  /** Replicas of Redis that must confirm a moved pointer. */
  replicas?: number;
  now?: () => Date;
};

/**
 * Maximum wait for a unit's lock. Writing a month of 600,000 flights takes seconds, but uploading it over a slow line
 * may take minutes.
 */
const PATIENCE_MS = 15 * 60_000;

/** Opens the shared lake that the settings name. If the settings name none, opens the lake in the data folder. */
export function openLakeHome(config: LakeHomeConfig, redis: Redis): LakeHome {
  if (config.lake) {
    const lake = sharedLake(sharedLakeOptions(config, config.lake, redis));
    return withModelRegistry(lake, openModelRegistry(config, config.lake, redis));
  }
  const paths = dataPaths(config.dataDir);
  refuseCopy(paths);
  return { ...folderLake(unitLock(paths)), withModelLock: (work) => withLocalModels(paths, work) };
}

/** Returns the options for a shared lake at the address in `lake`. */
export function sharedLakeOptions(
  { dataDir, replicas = 0, now = () => new Date() }: LakeHomeConfig,
  lake: ObjectsConfig,
  redis: Redis,
  lakeDir: string = dataPaths(dataDir).lakeDir,
): SharedLakeOptions {
  const objects = openObjects(lake);
  const pointers = createPointers(redis, objects, replicas);
  return { lakeDir, objects, pointers, lock: unitLock({ lakeDir }), now };
}

/** Opens the model registry beside a shared lake. */
export function openModelRegistry(
  { dataDir, replicas = 0, now = () => new Date() }: LakeHomeConfig,
  lake: ObjectsConfig,
  redis: Redis,
): ModelRegistry {
  const paths = dataPaths(dataDir);
  const objects = subfolderObjects(openObjects(lake), 'models');
  const lock = unitLock(paths);
  return sharedModelRegistry({
    folder: paths.modelsDir,
    objects,
    pointers: createPointers(redis, objects, replicas),
    lock: (work) => lock('models', work),
    now,
  });
}

/** Unlinks the model folder from a shared lake before running `work`, because a sync would undo local changes. */
export async function withLocalModels<T>(
  { modelsDir }: Pick<DataPaths, 'modelsDir'>,
  work: () => Promise<T>,
): Promise<T> {
  await unlinkCopy(modelsDir);
  return work();
}

/** Creates the lock for units of the lake. On this machine, only one process at a time can replace a unit. */
export function unitLock({ lakeDir }: Pick<DataPaths, 'lakeDir'>): LakeHome['withUnitLock'] {
  const folder = path.join(lakeDir, 'locks');
  return (unit, work) => {
    mkdirSync(folder, { recursive: true });
    const name = unit.replaceAll(/(?:source|year|month)=/g, '').replaceAll('/', '-');
    return withLock(path.join(folder, name), PATIENCE_MS, work);
  };
}

/**
 * Throws if the folder is the copy of a shared lake but LAKE_URL is not set, because the next sync would discard all
 * writes.
 */
export function refuseCopy({ lakeDir }: Pick<DataPaths, 'lakeDir'>): void {
  const file = path.join(lakeDir, HOME_FILE);
  if (!existsSync(file)) return;
  throw new CommandError(
    `${lakeDir} is the local copy of a shared lake, but LAKE_URL is not set. Set LAKE_URL. To use the copy as a separate lake instead, remove ${file}`,
  );
}

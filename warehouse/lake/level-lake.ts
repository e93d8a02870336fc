import path from 'node:path';
import {
  monthDir,
  listMonths,
  undefinedIfCorrupt,
  surveyTree,
  type LakeFile,
  type MonthManifest,
} from './lake.ts';
import { readSealed } from './sealed.ts';

/**
 * Content of the `manifest.json` for one month of the delay-cause table. The file is in the tree `levels` of the lake.
 */
export type LevelManifest = Pick<
  MonthManifest,
  'month' | 'source' | 'rejects' | 'sourceRows' | 'codeVersion' | 'extractedAt'
> & {
  /** `read` is the sum of `loaded`, `empty` and `rejected`. An empty row has no figures: the airline had no flights. */
  rows: { read: number; loaded: number; empty: number; rejected: number };
  files: { delayCauses: LakeFile; rejects?: LakeFile };
};

/**
 * Reads the manifest of a month of the delay-cause table; undefined if the manifest is missing. Throws
 * `CorruptFileError` if the manifest was changed.
 */
export function readLevelManifest(
  lakeDir: string,
  month: string,
): Promise<LevelManifest | undefined> {
  const file = path.join(monthDir(lakeDir, month, 'levels'), 'manifest.json');
  return readSealed<LevelManifest>(file, 'ingest the table again');
}

/** Reads the manifest of a month of the delay-cause table; undefined if the manifest is missing or damaged. */
export function readValidLevelManifest(
  lakeDir: string,
  month: string,
): Promise<LevelManifest | undefined> {
  return undefinedIfCorrupt(readLevelManifest(lakeDir, month));
}

/**
 * Reads the manifests of all months of the delay-cause table, oldest first. The function `read` reads one manifest and
 * decides what happens if the manifest is damaged.
 */
export async function readLevelManifests(
  lakeDir: string,
  read: typeof readLevelManifest = readLevelManifest,
): Promise<LevelManifest[]> {
  const months = await listMonths(lakeDir, 'levels');
  const manifests = await Promise.all(months.map((month) => read(lakeDir, month)));
  return manifests.filter((manifest) => manifest !== undefined);
}

/** Reads all manifests of the delay-cause table. Damaged manifests are listed in the result. */
export function surveyLevels(
  lakeDir: string,
): Promise<{ manifests: LevelManifest[]; damaged: string[] }> {
  return surveyTree(lakeDir, readLevelManifests, readLevelManifest);
}

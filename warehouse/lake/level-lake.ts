import path from 'node:path';
import {
  monthDir,
  monthsIn,
  orUndefined,
  surveyOf,
  type LakeFile,
  type MonthManifest,
} from './lake.ts';
import { readSealed } from './sealed.ts';

/** `manifest.json` of a month of the delay-cause table, in a tree of the lake beside flights and weather. */
export type LevelManifest = Pick<
  MonthManifest,
  'month' | 'source' | 'rejects' | 'sourceRows' | 'codeVersion' | 'extractedAt'
> & {
  /** read = loaded + empty + rejected; empty rows have no figures and stand for no flights. */
  rows: { read: number; loaded: number; empty: number; rejected: number };
  files: { delayCauses: LakeFile; rejects?: LakeFile };
};

/** The manifest of a month of the table, undefined where the lake holds none; throws `CorruptFileError` when changed. */
export function readLevelManifest(
  lakeDir: string,
  month: string,
): Promise<LevelManifest | undefined> {
  const file = path.join(monthDir(lakeDir, month, 'levels'), 'manifest.json');
  return readSealed<LevelManifest>(file, 'ingest the table again');
}

/** The same, and undefined when there is none that can be trusted. */
export function soundLevelManifest(
  lakeDir: string,
  month: string,
): Promise<LevelManifest | undefined> {
  return orUndefined(readLevelManifest(lakeDir, month));
}

/** Manifests of every month of the table, oldest first; `read` decides what becomes of a damaged one. */
export async function levelManifests(
  lakeDir: string,
  read: typeof readLevelManifest = readLevelManifest,
): Promise<LevelManifest[]> {
  const months = await monthsIn(lakeDir, 'levels');
  const manifests = await Promise.all(months.map((month) => read(lakeDir, month)));
  return manifests.filter((manifest) => manifest !== undefined);
}

/** What the lake holds of the table, damaged months included; for who has to tell it. */
export function surveyLevels(
  lakeDir: string,
): Promise<{ manifests: LevelManifest[]; damaged: string[] }> {
  return surveyOf(lakeDir, levelManifests, readLevelManifest);
}

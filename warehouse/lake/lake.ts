import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileSha256 } from '../ground/hashes.ts';
import { listNames } from '../ground/files.ts';
import { readSealed } from './sealed.ts';
import { CorruptFileError } from '../errors.ts';

/**
 * Where delays are measured: at arrival or, for sources without arrivals, at departure. `mixed` means that the delays
 * of some flights are measured at arrival, and the delays of the other flights at departure. An example is a source of
 * one airport, which records only departures from and arrivals at this airport.
 */
export type DelayBasis = 'arrival' | 'departure' | 'mixed';

export type LakeFile = { name: string; rows: number; bytes: number; sha256: string };

/**
 * The files of a month. Sources of sums have no file of flights and no file of airport hours. Sources without dates
 * have no file of airport days.
 */
export type MonthFiles = {
  flights?: LakeFile;
  routeHours: LakeFile;
  airportDays?: LakeFile;
  airportHours?: LakeFile;
  rejects?: LakeFile;
};

/** The source file of a month. */
export type SourceRef = {
  /** File name, without its folder. */
  name: string;
  sha256: string;
  bytes: number;
  /** File format, recognised by the header line, for example `nycflights`. */
  form: string;
  /** Name of the provider; absent for the American record. */
  provider?: string;
  /**
   * The parts of a source that consists of several files. For such a source, `sha256` is computed from the hashes of
   * the parts.
   */
  parts?: SourcePart[];
};

/** One file of a source that consists of several files. */
export type SourcePart = {
  name: string;
  sha256: string;
  bytes: number;
  form: string;
  rows: number;
  /** Valid rows that repeat a row of an earlier part. */
  repeated: number;
};

/** `manifest.json` of a month's folder. Only the manifest names the current files of the month. */
export type MonthManifest = {
  /** `YYYY-MM`. */
  month: string;
  source: SourceRef;
  /** Rows of the source in this month. `read` is the sum of `loaded` and `rejected`. */
  rows: { read: number; loaded: number; rejected: number };
  /** Rejected rows by reason. */
  rejects: Record<string, number>;
  delayBasis: DelayBasis;
  /** 12 if this December has the counts of the whole year. The other months of the year are then ignored. */
  periodMonths?: 12;
  files: MonthFiles;
  /** Rows in the whole source, including other months and rejected rows. */
  sourceRows: number;
  codeVersion: string;
  extractedAt: string;
};

/** Folder trees of the lake that have months of their own: flights, and the delay-cause table. */
export type LakeTree = 'flights' | 'levels';

/** Returns the folder of a month (`YYYY-MM`) in the lake. */
export function monthDir(lakeDir: string, month: string, tree: LakeTree = 'flights'): string {
  const [year, number] = month.split('-');
  return path.join(lakeDir, tree, `year=${year}`, `month=${number}`);
}

/** Returns the path of a file that a month's manifest names. */
export function lakeFilePath(
  lakeDir: string,
  month: string,
  file: LakeFile,
  tree: LakeTree = 'flights',
): string {
  return path.join(monthDir(lakeDir, month, tree), file.name);
}

/**
 * Verifies a file against its sha256 and returns the path of the file; throws `CorruptFileError` if the sha256 differs.
 */
export async function verifiedLakeFile(
  lakeDir: string,
  month: string,
  file: LakeFile,
  tree: LakeTree = 'flights',
): Promise<string> {
  const filePath = lakeFilePath(lakeDir, month, file, tree);
  if ((await fileSha256(filePath)) !== file.sha256) {
    const detail = 'its sha256 does not match the manifest: ingest the month again';
    throw new CorruptFileError(filePath, detail);
  }
  return filePath;
}

/**
 * Reads the manifest of a month; undefined if the month is not in the lake. Throws `CorruptFileError` if the manifest
 * was changed. To repair a changed manifest, ingest the month again.
 */
export async function readManifest(
  lakeDir: string,
  month: string,
): Promise<MonthManifest | undefined> {
  const file = path.join(monthDir(lakeDir, month), 'manifest.json');
  return readSealed<MonthManifest>(file, 'ingest the month again');
}

/** Reads the manifest of a month; undefined if the manifest is missing or damaged. */
export function readValidManifest(
  lakeDir: string,
  month: string,
): Promise<MonthManifest | undefined> {
  return undefinedIfCorrupt(readManifest(lakeDir, month));
}

/** Returns the result of `reading`; undefined if the file is damaged. */
export async function undefinedIfCorrupt<T>(
  reading: Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CorruptFileError) return undefined;
    throw error;
  }
}

/** Reads the manifests of all months, oldest first. `read` decides what happens with a damaged manifest. */
export async function readManifests(
  lakeDir: string,
  read: typeof readManifest = readManifest,
): Promise<MonthManifest[]> {
  const manifests: MonthManifest[] = [];
  for (const month of await listMonths(lakeDir, 'flights')) {
    const manifest = await read(lakeDir, month);
    if (manifest) manifests.push(manifest);
  }
  return manifests;
}

/** Lists the months (`YYYY-MM`) that have a folder in a tree of the lake, ascending. */
export async function listMonths(lakeDir: string, tree: LakeTree): Promise<string[]> {
  const root = path.join(lakeDir, tree);
  const months: string[] = [];
  for (const year of await listNumbers(root, /^year=(\d{4})$/)) {
    const numbers = await listNumbers(path.join(root, `year=${year}`), /^month=(\d{2})$/);
    months.push(...numbers.map((number) => `${year}-${number}`));
  }
  return months;
}

/** The valid manifests, oldest month first, and the months (`YYYY-MM`) with a damaged manifest. */
export type LakeSurvey = { manifests: MonthManifest[]; damaged: string[] };

/** Reads all manifests of flights. Damaged manifests are listed in the result. */
export async function surveyLake(lakeDir: string): Promise<LakeSurvey> {
  return surveyTree(lakeDir, readManifests, readManifest);
}

/** Reads all manifests of a tree. Damaged manifests are listed in the result. */
export async function surveyTree<M>(
  lakeDir: string,
  readMonths: (lakeDir: string, read: ReadMonth<M>) => Promise<M[]>,
  readMonth: ReadMonth<M>,
): Promise<{ manifests: M[]; damaged: string[] }> {
  const damaged: string[] = [];
  const manifests = await readMonths(lakeDir, async (dir, month) => {
    try {
      return await readMonth(dir, month);
    } catch (error) {
      if (!(error instanceof CorruptFileError)) throw error;
      damaged.push(month);
      return undefined;
    }
  });
  return { manifests, damaged };
}

type ReadMonth<M> = (lakeDir: string, month: string) => Promise<M | undefined>;

/** Lists the files that a manifest names. */
export function filesOf({ files }: { files: Record<string, LakeFile | undefined> }): LakeFile[] {
  return Object.values(files).filter((file) => file !== undefined);
}

/** Whether every file of the manifest exists and matches its sha256. */
export async function isIntact(
  lakeDir: string,
  manifest: { month: string; files: Record<string, LakeFile | undefined> },
  tree: LakeTree = 'flights',
): Promise<boolean> {
  for (const file of filesOf(manifest)) {
    const filePath = lakeFilePath(lakeDir, manifest.month, file, tree);
    const stats = await stat(filePath).catch(() => undefined);
    if (stats?.size !== file.bytes || (await fileSha256(filePath)) !== file.sha256) return false;
  }
  return true;
}

async function listNumbers(folder: string, pattern: RegExp): Promise<string[]> {
  return (await listNames(folder)).flatMap((name) => pattern.exec(name)?.[1] ?? []).toSorted();
}

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileSha256 } from '../ground/sha256.ts';
import { namesIn } from '../ground/files.ts';
import { readSealed } from './sealed.ts';
import { CorruptFileError } from '../errors.ts';

/** Which delay `delayed` speaks of: at arrival, or at departure where the source has no arrival. */
export type DelayBasis = 'arrival' | 'departure';

export type LakeFile = { name: string; rows: number; bytes: number; sha256: string };

/** The files of a month; sources of aggregates bring no flights and no airport hours, sources without dates no days. */
export type MonthFiles = {
  flights?: LakeFile;
  routeHours: LakeFile;
  airportDays?: LakeFile;
  airportHours?: LakeFile;
  rejects?: LakeFile;
};

/** The file a month came from. */
export type SourceRef = {
  /** File name, without its folder. */
  name: string;
  sha256: string;
  bytes: number;
  /** Form found by the header, for example `nycflights`. */
  form: string;
  /** The files it is made of, where several were given together; `sha256` is then one of theirs. */
  parts?: SourcePart[];
};

/** One of several files given together. */
export type SourcePart = {
  name: string;
  sha256: string;
  bytes: number;
  form: string;
  rows: number;
  /** Good rows that count as those of an earlier part. */
  repeated: number;
};

/** `manifest.json` of a month folder: the only thing that says which of its files count. */
export type MonthManifest = {
  /** `YYYY-MM`. */
  month: string;
  source: SourceRef;
  /** Rows of the source that fall in this month; read = loaded + rejected. */
  rows: { read: number; loaded: number; rejected: number };
  /** Rejected rows by reason. */
  rejects: Record<string, number>;
  delayBasis: DelayBasis;
  /** Minutes from which route hours count a flight in delayed15_count; months written earlier count more than 15. */
  delayed15From?: 15;
  files: MonthFiles;
  /** Rows in the whole source, all months and rejected rows included. */
  sourceRows: number;
  codeVersion: string;
  extractedAt: string;
};

/** The trees of the lake that ingest writes; months of one say nothing of months of the other. */
export type LakeTree = 'flights' | 'levels';

/** The folder of a month (`YYYY-MM`) in the lake. */
export function monthDir(lakeDir: string, month: string, tree: LakeTree = 'flights'): string {
  const [year, number] = month.split('-');
  return path.join(lakeDir, tree, `year=${year}`, `month=${number}`);
}

/** Where a file named by the manifest of a month is. */
export function lakeFilePath(
  lakeDir: string,
  month: string,
  file: LakeFile,
  tree: LakeTree = 'flights',
): string {
  return path.join(monthDir(lakeDir, month, tree), file.name);
}

/** The same, of a file that is bit for bit what was written; throws `CorruptFileError` of any other. */
export async function verifiedLakeFile(
  lakeDir: string,
  month: string,
  file: LakeFile,
  tree: LakeTree = 'flights',
): Promise<string> {
  const filePath = lakeFilePath(lakeDir, month, file, tree);
  if ((await fileSha256(filePath)) !== file.sha256) {
    const detail = 'its sha256 is not that of the manifest: ingest the month again';
    throw new CorruptFileError(filePath, detail);
  }
  return filePath;
}

/**
 * The manifest of a month, or undefined when the lake does not hold the month.
 * Throws `CorruptFileError` when it is not what was sealed; ingesting the month again replaces it.
 */
export async function readManifest(
  lakeDir: string,
  month: string,
): Promise<MonthManifest | undefined> {
  const file = path.join(monthDir(lakeDir, month), 'manifest.json');
  return readSealed<MonthManifest>(file, 'ingest the month again');
}

/** The manifest of a month, or undefined when there is none that can be trusted. */
export function soundManifest(lakeDir: string, month: string): Promise<MonthManifest | undefined> {
  return orUndefined(readManifest(lakeDir, month));
}

/** What was read, or undefined when it is damaged. */
export async function orUndefined<T>(reading: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CorruptFileError) return undefined;
    throw error;
  }
}

/** Manifests of every month in the lake, oldest month first; `read` decides what becomes of a damaged one. */
export async function readManifests(
  lakeDir: string,
  read: typeof readManifest = readManifest,
): Promise<MonthManifest[]> {
  const manifests: MonthManifest[] = [];
  for (const month of await monthsIn(lakeDir, 'flights')) {
    const manifest = await read(lakeDir, month);
    if (manifest) manifests.push(manifest);
  }
  return manifests;
}

/** The months (`YYYY-MM`) a tree of the lake has folders of, ascending. */
export async function monthsIn(lakeDir: string, tree: LakeTree): Promise<string[]> {
  const root = path.join(lakeDir, tree);
  const months: string[] = [];
  for (const year of await numbersOf(root, /^year=(\d{4})$/)) {
    const numbers = await numbersOf(path.join(root, `year=${year}`), /^month=(\d{2})$/);
    months.push(...numbers.map((number) => `${year}-${number}`));
  }
  return months;
}

/** The manifests that can be trusted, oldest month first, and the months (`YYYY-MM`) whose manifest cannot. */
export type LakeSurvey = { manifests: MonthManifest[]; damaged: string[] };

/** What the lake holds, damaged months included; for who has to tell it. */
export async function surveyLake(lakeDir: string): Promise<LakeSurvey> {
  return surveyOf(lakeDir, readManifests, readManifest);
}

/** What a tree holds by `all`, which reads its months by `one`. */
export async function surveyOf<M>(
  lakeDir: string,
  all: (lakeDir: string, read: ReadMonth<M>) => Promise<M[]>,
  one: ReadMonth<M>,
): Promise<{ manifests: M[]; damaged: string[] }> {
  const damaged: string[] = [];
  const manifests = await all(lakeDir, async (dir, month) => {
    try {
      return await one(dir, month);
    } catch (error) {
      if (!(error instanceof CorruptFileError)) throw error;
      damaged.push(month);
      return undefined;
    }
  });
  return { manifests, damaged };
}

type ReadMonth<M> = (lakeDir: string, month: string) => Promise<M | undefined>;

/** The files a manifest names. */
export function filesOf({ files }: { files: Record<string, LakeFile | undefined> }): LakeFile[] {
  return Object.values(files).filter((file) => file !== undefined);
}

/** Whether every file of the manifest is there, bit for bit. */
export async function isIntact(
  lakeDir: string,
  manifest: { month: string; files: Record<string, LakeFile | undefined> },
  tree: LakeTree = 'flights',
): Promise<boolean> {
  for (const file of filesOf(manifest)) {
    const filePath = lakeFilePath(lakeDir, manifest.month, file, tree);
    const found = await stat(filePath).catch(() => undefined);
    if (found?.size !== file.bytes || (await fileSha256(filePath)) !== file.sha256) return false;
  }
  return true;
}

async function numbersOf(folder: string, pattern: RegExp): Promise<string[]> {
  return (await namesIn(folder)).flatMap((name) => pattern.exec(name)?.[1] ?? []).toSorted();
}

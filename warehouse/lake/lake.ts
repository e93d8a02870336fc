import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SourceRef } from '../../pipelines/flights/types.ts';
import { fileSha256, sha256 } from '../sha256.ts';
import { CorruptFileError } from '../store/errors.ts';

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
  files: MonthFiles;
  /** Rows in the whole source, all months and rejected rows included. */
  sourceRows: number;
  codeVersion: string;
  extractedAt: string;
};

/** The folder of a month (`YYYY-MM`) in the lake. */
export function monthDir(lakeDir: string, month: string): string {
  const [year, number] = month.split('-');
  return path.join(lakeDir, 'flights', `year=${year}`, `month=${number}`);
}

/** Where a file named by the manifest of a month is. */
export function lakeFilePath(lakeDir: string, month: string, file: LakeFile): string {
  return path.join(monthDir(lakeDir, month), file.name);
}

/** The same, of a file that is bit for bit what was written; throws `CorruptFileError` of any other. */
export async function verifiedLakeFile(
  lakeDir: string,
  month: string,
  file: LakeFile,
): Promise<string> {
  const filePath = lakeFilePath(lakeDir, month, file);
  if ((await fileSha256(filePath)) !== file.sha256) {
    const detail = 'its sha256 is not that of the manifest: ingest the month again';
    throw new CorruptFileError(filePath, detail);
  }
  return filePath;
}

/** Text of `manifest.json`: the manifest, and the sha256 of it, so that any change of it shows. */
export function sealManifest(manifest: MonthManifest): string {
  const seal = sha256(JSON.stringify(manifest));
  return `${JSON.stringify({ ...manifest, seal }, null, 2)}\n`;
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
  try {
    return unseal(file, await readFile(file, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function unseal(file: string, text: string): MonthManifest {
  let sealed: MonthManifest & { seal?: string };
  try {
    sealed = JSON.parse(text) as MonthManifest & { seal?: string };
  } catch (error) {
    throw new CorruptFileError(file, 'not JSON', { cause: error });
  }
  const { seal, ...manifest } = sealed;
  // The text itself is compared, so that no change of it goes unseen.
  if (seal === undefined || sealManifest(manifest) !== text) {
    throw new CorruptFileError(file, 'not what was sealed: ingest the month again');
  }
  return manifest;
}

/** The manifest of a month, or undefined when there is none that can be trusted. */
export async function soundManifest(
  lakeDir: string,
  month: string,
): Promise<MonthManifest | undefined> {
  try {
    return await readManifest(lakeDir, month);
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
  const root = path.join(lakeDir, 'flights');
  for (const year of await numbersOf(root, /^year=(\d{4})$/)) {
    for (const month of await numbersOf(path.join(root, `year=${year}`), /^month=(\d{2})$/)) {
      const manifest = await read(lakeDir, `${year}-${month}`);
      if (manifest) manifests.push(manifest);
    }
  }
  return manifests;
}

/** The manifests that can be trusted, oldest month first, and the months (`YYYY-MM`) whose manifest cannot. */
export type LakeSurvey = { manifests: MonthManifest[]; damaged: string[] };

/** What the lake holds, damaged months included; for who has to tell it. */
export async function surveyLake(lakeDir: string): Promise<LakeSurvey> {
  const damaged: string[] = [];
  const manifests = await readManifests(lakeDir, async (_, month) => {
    try {
      return await readManifest(lakeDir, month);
    } catch (error) {
      if (!(error instanceof CorruptFileError)) throw error;
      damaged.push(month);
      return undefined;
    }
  });
  return { manifests, damaged };
}

/** The files a manifest names. */
export function filesOf(manifest: MonthManifest): LakeFile[] {
  const { flights, routeHours, airportDays, airportHours, rejects } = manifest.files;
  return [flights, routeHours, airportDays, airportHours, rejects].filter(
    (file) => file !== undefined,
  );
}

/** Whether every file of the manifest is there, bit for bit. */
export async function isIntact(lakeDir: string, manifest: MonthManifest): Promise<boolean> {
  for (const file of filesOf(manifest)) {
    const filePath = lakeFilePath(lakeDir, manifest.month, file);
    const found = await stat(filePath).catch(() => undefined);
    if (found?.size !== file.bytes || (await fileSha256(filePath)) !== file.sha256) return false;
  }
  return true;
}

async function numbersOf(folder: string, pattern: RegExp): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.flatMap((name) => pattern.exec(name)?.[1] ?? []).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // Of a lake that a file stands in place of, nothing can be there either.
  return code === 'ENOENT' || code === 'ENOTDIR';
}

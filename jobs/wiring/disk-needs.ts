import { stat } from 'node:fs/promises';
import path from 'node:path';
import { containsMonth } from '../../pipelines/flights/months.ts';
import type { ExtractRequest, MonthRequest } from '../../pipelines/flights/types.ts';
import { detectContainer } from '../../warehouse/extract/container.ts';
import { unpackedBytes } from '../../warehouse/extract/unzip.ts';
import { listNames } from '../../warehouse/ground/files.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { measureBytes } from '../../warehouse/ground/temporary.ts';
import { readManifests, readValidManifest, type MonthManifest } from '../../warehouse/lake/lake.ts';
import {
  dataPaths,
  listLakeProviders,
  providerPaths,
  type DataPaths,
} from '../../warehouse/paths.ts';
import { currentOnDisk } from '../../warehouse/store/disk.ts';
import {
  findDiskEmergency,
  findDiskShortage,
  type DiskJob,
  type DiskWatch,
} from '../processes/disk-space.ts';
import { findBackupShortage } from './backup-space.ts';
import { downloadsDir, listFolder } from './month-steps.ts';

/**
 * Highest growth of the data folder during a step, in bytes: `fixed` bytes, plus `factor` bytes for each byte of the
 * files to which the factor applies. Loadable files are the files of the lake that are loaded into the warehouse.
 * `make bench PART=disk` measures the growth and compares it with these estimates.
 */
const GROWTH = {
  /**
   * An extract adds files to the lake. The factor applies to the size of a compressed source, or to a tenth of the size
   * of a plain CSV.
   */
  source: { fixed: 0, factor: 0.7 },
  /** A load enlarges the warehouse and its log. The factor applies to the loadable files of one month. */
  load: { fixed: 2_000_000, factor: 12 },
  /** A build enlarges the warehouse and its log. The factor applies to all loadable files. */
  build: { fixed: 22_000_000, factor: 6 },
  /** A rebuild writes a new warehouse and its log. The factor applies to all loadable files. */
  rebuild: { fixed: 22_000_000, factor: 8 },
  /** A publish writes a store, and a copy of the store in Redis. The factor applies to all loadable files. */
  store: { fixed: 16_000_000, factor: 6 },
};

/** Bytes that any step may add to the ledger, logs and other small files. */
const SMALL_FILES = 4_000_000;
/** Bytes of a busy BTS month, as a zip and as plain CSV. Used while no month has been downloaded. */
const BTS_MONTH = { packed: 35_000_000, csv: 300_000_000 };
/** Uncompressed bytes per byte of a zip of flights; see `BTS_MONTH`. */
const CSV_PER_ZIP = 10;
const CSV_PER_PACKED_SOURCE = 10;

/** Creates the check for free space on the disk of the data folder. */
export function createDiskWatch({
  dataDir,
  minFreeBytes,
  backupTo,
}: {
  dataDir: string;
  minFreeBytes: number;
  /** The folder of the scheduled backups, which may be on another disk. */
  backupTo: string | undefined;
}): DiskWatch {
  return {
    findShortage: async (job) =>
      job.name === 'backup' && backupTo !== undefined
        ? findBackupShortage(backupTo, { dataDir, minFreeBytes })
        : findDiskShortage(dataDir, minFreeBytes, await estimateDiskNeed(job, dataDir)),
    findEmergency: () => findDiskEmergency(dataDir),
  };
}

/** Estimates how many bytes the data folder grows while a job runs. */
export async function estimateDiskNeed({ name, data }: DiskJob, dataDir: string): Promise<number> {
  const paths = dataPaths(dataDir);
  const needs: Record<string, () => Promise<number>> = {
    'extract-file': () => fileNeed(data as ExtractRequest),
    'extract-month': () => monthNeed(data as MonthRequest, dataDir),
    'load-months': async () => growth('load', largestMonth(await manifestsOf(paths))),
    'load-month': async () => growth('load', largestMonth(await manifestsOf(paths))),
    'restore-month': async () => growth('load', largestMonth(await manifestsOf(paths))),
    'build-features': () => buildNeed(paths),
    rebuild: () => rebuildNeed(paths),
    publish: () => publishNeed(paths),
    nightly: async () => (await buildNeed(paths)) + (await publishNeed(paths)),
  };
  return SMALL_FILES + ((await needs[name]?.()) ?? 0);
}

async function fileNeed({ path: file, parts }: ExtractRequest): Promise<number> {
  const files = new Set([file, ...(parts ?? [])]);
  const needs = await Promise.all([...files].map(sourceNeed));
  return sum(needs);
}

/**
 * Estimates the bytes for the extract of a source: the unpacked content of a zip, and the files that are added to the
 * lake.
 */
async function sourceNeed(file: string): Promise<number> {
  const bytes = (await stat(file).catch(() => undefined))?.size ?? 0;
  const container = await detectContainer(file, path.basename(file), bytes).catch(() => undefined);
  if (container === 'zip') {
    // An unreadable zip is estimated as 0 bytes, because the extract refuses the file later.
    const csvBytes = await unpackedBytes(file).catch(() => 0);
    return csvBytes + growth('source', bytes);
  }
  const packedBytes = container === 'csv' ? bytes / CSV_PER_PACKED_SOURCE : bytes;
  return growth('source', packedBytes);
}

/** Estimates the bytes for a month: its source, and its download if the month has not been downloaded yet. */
async function monthNeed({ source, month }: MonthRequest, dataDir: string): Promise<number> {
  if (source.kind === 'folder') {
    const listed = await listFolder(source.path).catch(() => []);
    const names = listed.filter((name) => containsMonth(name, month));
    const needs = await Promise.all(names.map((name) => sourceNeed(path.join(source.path, name))));
    return Math.max(0, ...needs);
  }
  const folder = downloadsDir(dataDir);
  const names = (await listNames(folder)).filter((name) => name.endsWith('.zip'));
  const sizes = await Promise.all(names.map((name) => measureBytes(path.join(folder, name))));
  const own = names.findIndex((name) => containsMonth(name, month));
  const packed = sizes[own] ?? Math.max(0, ...sizes);
  if (packed === 0) return BTS_MONTH.packed + BTS_MONTH.csv + growth('source', BTS_MONTH.packed);
  return packed * (1 + CSV_PER_ZIP) + growth('source', packed);
}

/** A build writes each new mart before it drops the former mart, so both need space. */
async function buildNeed(paths: DataPaths): Promise<number> {
  return growth('build', loadableBytes(await manifestsOf(paths)));
}

/**
 * A rebuild writes the warehouses one after another. Each new warehouse is written beside the former file and then
 * replaces it. These replacements therefore need space only for the largest warehouse. Warehouses without a former file
 * stay, so their sizes add up.
 */
async function rebuildNeed(paths: DataPaths): Promise<number> {
  const providers = await listLakeProviders(paths.lakeDir);
  const needs = await Promise.all(
    [paths, ...providers.map((provider) => providerPaths(paths, provider))].map(async (one) => {
      const expected = growth('rebuild', loadableBytes(await manifestsOf(one)));
      const formerBytes = await measureBytes(one.warehouseFile);
      return { isNew: formerBytes === 0, bytes: Math.max(expected, formerBytes) };
    }),
  );
  const bytesOf = (isNew: boolean) =>
    needs.filter((need) => need.isNew === isNew).map(({ bytes }) => bytes);
  return sum(bytesOf(true)) + Math.max(0, ...bytesOf(false));
}

/** A publish writes a store to the disk and to Redis. It also copies the warehouse, for tools that read the copy. */
async function publishNeed(paths: DataPaths): Promise<number> {
  const version = await currentOnDisk(paths.storeDir);
  const former = version === undefined ? 0 : await measureBytes(path.join(paths.storeDir, version));
  const expected = growth('store', loadableBytes(await manifestsOf(paths)));
  return Math.max(2 * former, expected) + (await measureBytes(paths.warehouseFile));
}

function growth(kind: keyof typeof GROWTH, bytes: number): number {
  return GROWTH[kind].fixed + GROWTH[kind].factor * bytes;
}

function manifestsOf({ lakeDir }: DataPaths): Promise<MonthManifest[]> {
  return readManifests(lakeDir, readValidManifest);
}

function loadableBytes(manifests: MonthManifest[]): number {
  return sum(manifests.map(loadableBytesOf));
}

function largestMonth(manifests: MonthManifest[]): number {
  return Math.max(0, ...manifests.map(loadableBytesOf));
}

/** Returns the size of the loadable files of a month. */
function loadableBytesOf({ files }: MonthManifest): number {
  const { routeHours, airportDays, airportHours } = files;
  return sum([routeHours, airportDays, airportHours].map((file) => file?.bytes ?? 0));
}

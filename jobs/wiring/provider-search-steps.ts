import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SourceRefusedError } from '../../pipelines/errors.ts';
import { downloadPlace } from '../../pipelines/flights/download-place.ts';
import { createHttpGet, type HttpGet } from '../../pipelines/http-get.ts';
import type { ExtractReport } from '../../pipelines/flights/types.ts';
import type { Collected, CollectorFolder } from '../../pipelines/providers/collector.ts';
import { PROVIDERS } from '../../pipelines/providers/index.ts';
import { findRefusedFiles, type LoadAttempt } from '../../pipelines/providers/refused-files.ts';
import { createPageReader, releaseFileName } from '../../pipelines/providers/releases.ts';
import {
  isLoaded,
  searchReleases,
  waitingText,
  type ProviderMonths,
  type ProviderSearch,
  type SearchReleasesDeps,
} from '../../pipelines/providers/search-releases.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import type { ExtractDeps } from '../../warehouse/extract/extract-deps.ts';
import { listNames, statIfExists } from '../../warehouse/ground/files.ts';
import { monthsOfPeriod } from '../../warehouse/ground/period.ts';
import { fileSha256 } from '../../warehouse/ground/hashes.ts';
import { withTemporary, writeAtomically } from '../../warehouse/ground/temporary.ts';
import { listDropped } from '../../warehouse/lake/dropped.ts';
import { readManifests, readValidManifest } from '../../warehouse/lake/lake.ts';
import { ledgerFiles, newestRuns } from '../../warehouse/lake/ledger.ts';
import { dataPaths, providerLakeDir, type DataPaths } from '../../warehouse/paths.ts';
import { downloadsDir } from './month-steps.ts';

type SearchConfig = {
  dataDir: string;
  /** Version of the code that reads the files. Files that another version refused are loaded again. */
  codeVersion: string;
  offline: boolean;
  /** Addresses of providers, by name. */
  providerUrls?: Readonly<Record<string, string>>;
  now: () => Date;
};

/** Number of newest extracts that are searched for refusals. */
const EXTRACTS_READ = 1_000;

/** Creates the step that fetches new figures of a provider. */
export function createProviderSearch(
  config: SearchConfig,
  { findExtracted }: Pick<ExtractDeps, 'findExtracted'>,
  get: HttpGet = createHttpGet(),
): Pick<PipelineSteps, 'searchProvider'> {
  const { dataDir, now } = config;
  const paths = dataPaths(dataDir);
  const downloads = downloadsDir(dataDir);
  const searchProvider: PipelineSteps['searchProvider'] = async (name, progress) => {
    const provider = PROVIDERS.find((one) => one.name === name);
    const source = provider?.collector ?? provider?.releases;
    if (!provider || !source) {
      throw new SourceRefusedError(name, 'cannot be searched for new files');
    }
    const address = config.providerUrls?.[name] ?? source.address;
    if (config.offline) {
      throw new SourceRefusedError(address, 'not fetched, because OFFLINE=1 is set');
    }
    const isInLake = async (sha256: string) =>
      (await findExtracted(sha256, 'flights', name)).length > 0;
    const ownLake = providerLakeDir(paths.lakeDir, name);
    const refused = findRefusedFiles(await readAttempts(paths, config.codeVersion), now());
    if (provider.collector) {
      const deps = { address, readPage: createPageReader(get), ...folderOf(config, name) };
      const collected = await provider.collector.collect(deps, progress);
      const { dropped } = await readProviderMonths(ownLake);
      return chooseCollected(collected, { isInLake, refused }, dropped);
    }
    if (!provider.releases) throw new SourceRefusedError(name, 'cannot be searched for new files');
    return searchReleases(
      {
        ...{ index: provider.releases, address, get, isInLake, refused, now },
        readMonths: () => readProviderMonths(ownLake),
        nameOf: (release) => releaseFileName(name, release),
        placeOf: (file) => downloadPlace(downloads, file),
      },
      progress,
    );
  };
  return { searchProvider };
}

/** Returns the folder in which a collector stores the days of a provider. */
export function folderOf({ dataDir, now }: Pick<SearchConfig, 'dataDir' | 'now'>, name: string) {
  const folder = path.join(dataDir, 'collected', name);
  return { folder: collectorFolder(folder, downloadsDir(dataDir), now), now };
}

/**
 * Chooses the collected months to load. Leaves out months that are in the lake, were dropped, or were refused before.
 */
async function chooseCollected(
  { summary, files }: Collected,
  lake: Pick<SearchReleasesDeps, 'isInLake' | 'refused'>,
  dropped: readonly string[],
): Promise<ProviderSearch> {
  const chosen: ProviderSearch['files'] = [];
  const waiting: string[] = [];
  for (const file of files) {
    if (dropped.includes(file.period) || (await isLoaded(lake, file.sha256))) continue;
    const next = lake.refused.nextAttempt(file.sha256);
    if (next === undefined) chosen.push(file);
    else waiting.push(`${file.period} (next attempt ${next})`);
  }
  return { summary: [summary, ...waitingText(waiting)].join('; '), files: chosen };
}

/**
 * Reads from the ledger which files this version of the code has tried to load. Leaves out an attempt if it failed for
 * a reason other than the content of the file, such as a full disk.
 */
async function readAttempts(paths: DataPaths, codeVersion: string): Promise<LoadAttempt[]> {
  const runs = await newestRuns(ledgerFiles(paths), ['extract'], EXTRACTS_READ);
  return runs
    .filter((run) => run.codeVersion === codeVersion)
    .flatMap(({ inputs: [input], outcome, errorName, finishedAt: at, detail }) => {
      const isUnreadable = errorName === 'SourceFormatError';
      if (input?.sha256 === undefined || (outcome === 'failed' && !isUnreadable)) return [];
      const { months = [] } = (detail ?? {}) as Partial<ExtractReport>;
      const isRefused = isUnreadable || months.some((one) => one.outcome === 'refused');
      return [{ name: input.name, sha256: input.sha256, at, isRefused }];
    });
}

/**
 * Returns the months of a provider in the lake, and the months that an operator dropped. If the lake has the counts of
 * a whole year, all twelve months are returned.
 */
async function readProviderMonths(lakeDir: string): Promise<ProviderMonths> {
  const manifests = await readManifests(lakeDir, readValidManifest);
  return {
    months: manifests.flatMap(monthsOfPeriod),
    dropped: (await listDropped(lakeDir)).flatMap(monthsOfPeriod),
  };
}

/** Returns the functions that read and change the folder of a collector. Finished files are moved to the downloads. */
function collectorFolder(folder: string, downloads: string, now: () => Date): CollectorFolder {
  return {
    list: async () => {
      const files = new Map<string, Date>();
      for (const name of await listNames(folder)) {
        const stats = name.endsWith('.json') && (await statIfExists(path.join(folder, name)));
        if (stats) files.set(name, stats.mtime);
      }
      return files;
    },
    read: (name) => readFile(path.join(folder, name), 'utf8'),
    write: async (name, text) => {
      await mkdir(folder, { recursive: true });
      // A command and the worker may write the same list at the same time. Nothing is synced to disk, because the list can be
      // fetched from the provider again after a power cut.
      await withTemporary(folder, async (temporary) => {
        await writeFile(temporary, text);
        await utimes(temporary, now(), now());
        await rename(temporary, path.join(folder, name));
      });
    },
    remove: (name) => rm(path.join(folder, name), { force: true }),
    publish: async (name, lines) => {
      const file = path.join(downloads, name);
      await writeAtomically(file, (temporary) => writeFile(temporary, `${lines.join('\n')}\n`));
      return { path: file, sha256: await fileSha256(file) };
    },
  };
}

import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SourceRefusedError } from '../../pipelines/errors.ts';
import { downloadPlace } from '../../pipelines/flights/download-place.ts';
import { createHttpGet, type HttpGet } from '../../pipelines/http-get.ts';
import type { CollectorFolder } from '../../pipelines/providers/collector.ts';
import { PROVIDERS } from '../../pipelines/providers/index.ts';
import { createPageReader } from '../../pipelines/providers/releases.ts';
import { searchReleases } from '../../pipelines/providers/search-releases.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import type { ExtractDeps } from '../../warehouse/extract/extract-deps.ts';
import { listNames } from '../../warehouse/ground/files.ts';
import { fileSha256 } from '../../warehouse/ground/sha256.ts';
import { writeAtomically } from '../../warehouse/ground/temporary.ts';
import { readManifests, readValidManifest } from '../../warehouse/lake/lake.ts';
import { listMonthsWithVersions } from '../../warehouse/lake/versions.ts';
import { dataPaths, providerLakeDir } from '../../warehouse/paths.ts';
import { downloadsDir } from './month-steps.ts';

type SearchConfig = {
  dataDir: string;
  offline: boolean;
  /** Addresses of providers, by name. */
  providerUrls?: Readonly<Record<string, string>>;
  now: () => Date;
};

/** Creates the step that fetches new figures of a provider. */
export function createProviderSearch(
  config: SearchConfig,
  { findExtracted }: Pick<ExtractDeps, 'findExtracted'>,
  get: HttpGet = createHttpGet(),
): Pick<PipelineSteps, 'searchProvider'> {
  const { dataDir, now } = config;
  const { lakeDir } = dataPaths(dataDir);
  const downloads = downloadsDir(dataDir);
  const searchProvider: PipelineSteps['searchProvider'] = async (name, progress) => {
    const provider = PROVIDERS.find((one) => one.name === name);
    const source = provider?.collector ?? provider?.releases;
    if (!provider || !source) throw new SourceRefusedError(name, 'has no files to search for');
    const address = config.providerUrls?.[name] ?? source.address;
    if (config.offline) {
      throw new SourceRefusedError(address, 'not fetched, because OFFLINE=1 is set');
    }
    const isInLake = async (sha256: string) =>
      (await findExtracted(sha256, 'flights', name)).length > 0;
    if (provider.collector) {
      const folder = collectorFolder(path.join(dataDir, 'collected', name), downloads, now);
      const deps = { address, readPage: createPageReader(get), folder, now };
      const { summary, files } = await provider.collector.collect(deps, progress);
      const isNew = await Promise.all(files.map(async ({ sha256 }) => !(await isInLake(sha256))));
      return { summary, files: files.filter((_, at) => isNew[at]) };
    }
    if (!provider.releases) throw new SourceRefusedError(name, 'has no files to search for');
    return searchReleases(
      {
        ...{ index: provider.releases, address, get, isInLake, now },
        readMonths: () => readProviderMonths(providerLakeDir(lakeDir, name)),
        placeOf: (period) => downloadPlace(downloads, `${name}-${period}.csv`),
      },
      progress,
    );
  };
  return { searchProvider };
}

/**
 * Returns the months of a provider in the lake, and the months that an operator dropped. A file for a whole year stands
 * for its twelve months.
 */
async function readProviderMonths(lakeDir: string): Promise<string[]> {
  const manifests = await readManifests(lakeDir, readValidManifest);
  const months = manifests.flatMap(({ month, periodMonths }) =>
    periodMonths === 12 ? monthsOfYear(month.slice(0, 4)) : [month],
  );
  const dropped = await listMonthsWithVersions(lakeDir);
  return [...new Set([...months, ...dropped.map(({ month }) => month)])].toSorted();
}

function monthsOfYear(year: string): string[] {
  return Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`);
}

/** Access to the folder of a collector. Finished files are moved to the downloads. */
function collectorFolder(folder: string, downloads: string, now: () => Date): CollectorFolder {
  return {
    list: async () => {
      const files = new Map<string, Date>();
      for (const name of await listNames(folder)) {
        if (name.endsWith('.json')) files.set(name, (await stat(path.join(folder, name))).mtime);
      }
      return files;
    },
    read: (name) => readFile(path.join(folder, name), 'utf8'),
    write: async (name, text) => {
      await mkdir(folder, { recursive: true });
      // Not synced to disk: after a power cut, the list can be fetched from the provider again.
      const temporary = path.join(folder, `${name}.part`);
      await writeFile(temporary, text);
      await utimes(temporary, now(), now());
      await rename(temporary, path.join(folder, name));
    },
    remove: (name) => rm(path.join(folder, name), { force: true }),
    publish: async (name, lines) => {
      const file = path.join(downloads, name);
      await writeAtomically(file, (temporary) => writeFile(temporary, `${lines.join('\n')}\n`));
      return { path: file, sha256: await fileSha256(file) };
    },
  };
}

import { SourceFormatError } from '../../warehouse/errors.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { download, type DownloadPlace, type SavedFile } from '../flights/download.ts';
import { findWantedMonths } from '../flights/find-months.ts';
import type { Month } from '../flights/months.ts';
import type { HttpGet } from '../http-get.ts';
import { createPageReader, type Release, type ReleaseIndex } from './releases.ts';

/** A file of a provider that the lake does not have yet. */
export type NewFile = { period: string; path: string; sha256: string };

/** Result of a search for files of a provider. `summary` is for the page of schedules. */
export type ProviderSearch = { summary: string; files: NewFile[] };

export type SearchReleasesDeps = {
  index: ReleaseIndex;
  /** Address of the files or of their pages. */
  address: string;
  get: HttpGet;
  /** Months of the provider that the lake has or that an operator dropped. */
  readMonths: () => Promise<Month[]>;
  /** Whether a file with this hash is in the lake. */
  isInLake: (sha256: string) => Promise<boolean>;
  /** Where the file of a period is stored. */
  placeOf: (period: string) => DownloadPlace;
  now: () => Date;
};

/** Maximum number of files to download in one search; the next search continues. */
const MAX_FILES = 12;

/**
 * Providers publish a month at most this many months later. If a search for more months finds no file, the page or the
 * address has changed.
 */
const LONGEST_DELAY_MONTHS = 8;

/**
 * Searches for months of a provider that the lake lacks, and downloads their files. Throws `SourceFormatError` if a
 * page or a link is not as expected, or if many months are searched and none has a file.
 */
export async function searchReleases(
  deps: SearchReleasesDeps,
  progress: Progress,
): Promise<ProviderSearch> {
  const { index, address, get } = deps;
  const months = await deps.readMonths();
  const coverage = { months, ownMonths: months, incompleteMonths: [], droppedMonths: [] };
  const wanted = findWantedMonths({ ...coverage, weatherMonths: [] }, deps.now()).toReversed();
  if (wanted.length === 0) return { summary: 'no month is missing', files: [] };
  const releases = await index.list(wanted, { address, readPage: createPageReader(get) });
  const files: NewFile[] = [];
  let found = 0;
  for (const [at, release] of releases.slice(-MAX_FILES).entries()) {
    progress(at, releases.length, release.period);
    const file = await fetchRelease(deps, release, progress);
    if (!file) continue;
    found++;
    if (await deps.isInLake(file.sha256)) continue;
    files.push({ period: release.period, path: file.path, sha256: file.sha256 });
  }
  if (found === 0 && wanted.length > LONGEST_DELAY_MONTHS) {
    throw new SourceFormatError(
      address,
      `has no file of ${wanted[0]} to ${wanted.at(-1)}; the files may have moved`,
    );
  }
  return { summary: summaryOf(wanted, files), files };
}

/** Downloads a file unless it is unchanged; undefined if it is not published yet. */
async function fetchRelease(
  { index, get, placeOf }: SearchReleasesDeps,
  { period, url }: Release,
  progress: Progress,
): Promise<SavedFile | undefined> {
  const result = await download({ url }, { get, place: placeOf(period) }, progress);
  if (result.outcome !== 'absent') return result.file;
  if (index.isLinked !== true) return undefined;
  throw new SourceFormatError(url, `is linked, but cannot be downloaded: ${result.why}`);
}

function summaryOf(wanted: readonly Month[], files: readonly NewFile[]): string {
  const what = files.map(({ period }) => period).join(', ');
  return `searched ${wanted[0]} to ${wanted.at(-1)}: ${what === '' ? 'nothing new' : `new: ${what}`}`;
}

import { SourceFormatError } from '../../warehouse/errors.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { download, type DownloadPlace, type SavedFile } from '../flights/download.ts';
import { findWantedMonths } from '../flights/find-months.ts';
import { isMonth, type Month } from '../flights/months.ts';
import type { HttpGet } from '../http-get.ts';
import type { RefusedFiles } from './refused-files.ts';
import { createPageReader, type Release, type ReleaseIndex } from './releases.ts';

/** A provider's file that the lake does not have yet. */
export type NewFile = { period: string; path: string; sha256: string };

/** Result of a search for files of a provider. `summary` is for the page of schedules. */
export type ProviderSearch = { summary: string; files: NewFile[] };

/** The months that a search for a provider's files leaves out. */
export type ProviderMonths = {
  /** Months that the lake has. */
  months: Month[];
  /** Months that an operator dropped. */
  dropped: Month[];
};

export type SearchReleasesDeps = {
  index: ReleaseIndex;
  /** Address of the files or of their pages. */
  address: string;
  get: HttpGet;
  readMonths: () => Promise<ProviderMonths>;
  /** Whether a file with this hash is in the lake. */
  isInLake: (sha256: string) => Promise<boolean>;
  /** Files that were refused before. */
  refused: RefusedFiles;
  /** Returns the name under which the file of a release is stored. */
  nameOf: (release: Release) => string;
  placeOf: (name: string) => DownloadPlace;
  now: () => Date;
};

/** Maximum number of files to download in one search; the next search continues. */
const MAX_FILES = 12;

/**
 * Maximum number of months from the end of a month to its publication. If a search for older months finds no file, the
 * page or the address has changed.
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
  const { months: loaded, dropped } = await deps.readMonths();
  const months = [...new Set([...loaded, ...dropped])].toSorted();
  const coverage = { months, ownMonths: months, incompleteMonths: [], droppedMonths: dropped };
  const wanted = findWantedMonths({ ...coverage, weatherMonths: [] }, deps.now()).toReversed();
  if (wanted.length === 0) return { summary: 'no month is missing', files: [] };
  const releases = await index.list(wanted, { address, readPage: createPageReader(get) });
  const isExcluded = (period: string) =>
    !isMonth(period) && dropped.some((month) => month.startsWith(period));
  const allowed = releases.filter(({ period }) => !isExcluded(period));
  const excludedYears = releases.map(({ period }) => period).filter(isExcluded);
  const files: NewFile[] = [];
  const waiting: string[] = [];
  let found = 0;
  for (const [at, release] of chooseReleases(deps, allowed).entries()) {
    progress(at, allowed.length, release.period);
    const file = await fetchRelease(deps, release, progress);
    if (!file) continue;
    found++;
    if (await isLoaded(deps, file.sha256)) continue;
    const next = deps.refused.nextAttempt(file.sha256);
    if (next === undefined) {
      files.push({ period: release.period, path: file.path, sha256: file.sha256 });
    } else waiting.push(`${release.period} (next attempt ${next})`);
  }
  const expected = wanted.filter((month) => !excludedYears.includes(month.slice(0, 4)));
  if (found === 0 && expected.length > LONGEST_DELAY_MONTHS) {
    throw new SourceFormatError(
      address,
      `has no file for any month from ${expected[0]} to ${expected.at(-1)}; the files may have moved`,
    );
  }
  const excluded =
    excludedYears.length === 0
      ? []
      : [`left out, because a month was dropped: ${excludedYears.join(', ')}`];
  const summary = [summaryOf(wanted, files), ...excluded, ...waitingText(waiting)].join('; ');
  return { summary, files };
}

/**
 * Whether the lake has all months of the file with this content. False if a month was refused, because a later attempt
 * may accept this month.
 */
export async function isLoaded(
  { isInLake, refused }: Pick<SearchReleasesDeps, 'isInLake' | 'refused'>,
  sha256: string,
): Promise<boolean> {
  return !refused.isContentRefused(sha256) && (await isInLake(sha256));
}

/**
 * Chooses the releases to download. These are the newest releases, and releases that were refused before, because their
 * content may have changed. If many were refused, those with the earliest next attempt come first, so that each of them
 * gets its attempt.
 */
function chooseReleases(
  { nameOf, refused }: SearchReleasesDeps,
  releases: readonly Release[],
): Release[] {
  const isRefused = (release: Release) => refused.isRefused(nameOf(release));
  const dueFirst = releases
    .filter(isRefused)
    .map((release) => ({ release, due: refused.dueDate(nameOf(release)) }))
    .toSorted((a, b) => a.due.localeCompare(b.due));
  return [
    ...releases.filter((release) => !isRefused(release)).slice(-MAX_FILES),
    ...dueFirst.slice(0, MAX_FILES).map(({ release }) => release),
  ];
}

/** Describes the files that were refused before and have not changed. */
export function waitingText(waiting: readonly string[]): string[] {
  if (waiting.length === 0) return [];
  return [
    `refused before and unchanged: ${waiting.join(', ')}; make backfill retries them at once`,
  ];
}

/** Downloads the file of a release unless the file is unchanged. Returns undefined if the file is not published yet. */
async function fetchRelease(
  { index, get, nameOf, placeOf }: SearchReleasesDeps,
  release: Release,
  progress: Progress,
): Promise<SavedFile | undefined> {
  const { url } = release;
  const place = placeOf(nameOf(release));
  const result = await download({ url }, { get, place }, progress);
  if (result.outcome !== 'absent') return result.file;
  if (index.isLinked !== true) return undefined;
  throw new SourceFormatError(url, `is linked, but cannot be downloaded: ${result.why}`);
}

function summaryOf(wanted: readonly Month[], files: readonly NewFile[]): string {
  const what = files.map(({ period }) => period).join(', ');
  return `searched ${wanted[0]} to ${wanted.at(-1)}: ${what === '' ? 'nothing new' : `new: ${what}`}`;
}

import { SourceFormatError } from '../../../warehouse/errors.ts';
import { linksIn, type Release, type ReleaseIndex } from '../releases.ts';

/**
 * Texts of the links to the full analysis, for example `2019 Annual Punctuality…` or `202501 Punctuality Statistics
 * Full Analysis…`.
 */
const FULL_ANALYSIS =
  /^(\d{4})(\d{2})? (?:Annual )?(?:Punctuality Statistics )?Full Analysis\b.*CSV/i;

/**
 * The pages of CAA, one per year. Files are found by the texts of their links, because their addresses follow no rule.
 * If all months of a year are requested and its annual file exists, returns only the annual file.
 */
export const CAA_RELEASES: ReleaseIndex = {
  address:
    'https://www.caa.co.uk/data-and-analysis/uk-aviation-market/flight-punctuality/uk-flight-punctuality-statistics',
  isLinked: true,
  list: async (months, { address, readPage }) => {
    const byYear = Map.groupBy(months, (month) => month.slice(0, 4));
    const releases: Release[] = [];
    for (const [year, own] of byYear) {
      const url = `${address}/${year}/`;
      const page = await readPage(url);
      if (page === undefined) continue;
      const published = releasesOn(page, url);
      const annual = published.find(({ period }) => period === year);
      const monthly = own.flatMap(
        (month) => published.find(({ period }) => period === month) ?? [],
      );
      releases.push(
        ...(annual && (own.length === 12 || monthly.length === 0) ? [annual] : monthly),
      );
    }
    return releases;
  },
};

/** Returns the files that a page links to. Files that separate arrivals and departures come first. */
function releasesOn(page: string, url: string): Release[] {
  const matches = linksIn(page, url).flatMap((link) => {
    const [, year = '', month] = FULL_ANALYSIS.exec(link.text) ?? [];
    if (year === '') return [];
    const period = month === undefined ? year : `${year}-${month}`;
    return [{ period, url: link.url, isDirected: /arrival|arr\b/i.test(link.text) }];
  });
  if (matches.length === 0) {
    throw new SourceFormatError(
      url,
      'has no link whose text is like "202501 Punctuality Statistics Full Analysis … (CSV …)"; the page may have a new layout',
    );
  }
  return matches
    .toSorted((a, b) => Number(b.isDirected) - Number(a.isDirected))
    .map(({ period, url: fileUrl }) => ({ period, url: fileUrl }));
}

import { matchPath, type Page } from '../views/page.ts';
import { PAGES } from '../views/pages.ts';

/** A page and the address of its data. */
export type PageMatch = { page: Page; source: string };

/** Returns the page at an address of this site; undefined if the explorer has no page at this address. */
export function pageAt(address: string): PageMatch | undefined {
  const { pathname, searchParams } = new URL(address, location.origin);
  for (const page of PAGES) {
    const params = matchPath(page.path, pathname);
    if (params) return { page, source: page.source({ params, query: searchParams }) };
  }
  return undefined;
}

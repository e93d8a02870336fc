import { paramsIn, type Page } from '../views/page.ts';
import { PAGES } from '../views/pages.ts';

/** A page, and where its data are asked for. */
export type Found = { page: Page; source: string };

/** The page at an address of this site; undefined where it is none of the explorer. */
export function pageAt(address: string): Found | undefined {
  const { pathname, searchParams } = new URL(address, location.origin);
  for (const page of PAGES) {
    const params = paramsIn(page.path, pathname);
    if (params) return { page, source: page.source({ params, query: searchParams }) };
  }
  return undefined;
}

import { matchPath, type Page } from '../views/page.ts';
import { PAGES } from '../views/pages.ts';

/** Shows another address. `replace` adds no history entry. */
export type Go = (address: string, mode?: 'push' | 'replace') => void;

/** Follows links within the explorer without a reload. */
export function handleLinks(go: Go): void {
  document.addEventListener('click', (event) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    const link = (event.target as Element).closest('a[href]');
    const href = link?.getAttribute('href') ?? '';
    // The browser follows links to other sites and to anchors on this page.
    if (!href.startsWith('/') || href.startsWith('//') || !pageAt(href)) return;
    event.preventDefault();
    go(href);
  });
}

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

import { matchPath, type Page } from '../views/page.ts';
import { PAGES } from '../views/pages.ts';

/** Shows the page at an address. With `replace`, the browser history gets no new entry. */
export type Go = (address: string, mode?: 'push' | 'replace') => void;

/** Handles links within these pages without reloading. */
export function handleLinks(go: Go): void {
  document.addEventListener('click', (event) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    const link = (event.target as Element).closest('a[href]');
    const href = link?.getAttribute('href') ?? '';
    // Leave links to other sites and links within this page to the browser.
    if (!href.startsWith('/') || href.startsWith('//') || !pageAt(href)) return;
    event.preventDefault();
    go(href);
  });
}

/** A page and the address of its data. */
export type PageMatch = { page: Page; source: string };

/** Returns the page at an address of this site; undefined if no page has this address. */
export function pageAt(address: string): PageMatch | undefined {
  const { pathname, searchParams } = new URL(address, location.origin);
  for (const page of PAGES) {
    const params = matchPath(page.path, pathname);
    if (params) return { page, source: page.source({ params, query: searchParams }) };
  }
  return undefined;
}

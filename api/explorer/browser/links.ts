import { pageAt } from './page-at.ts';

/** Shows another address; `replace` leaves no step to go back to. */
export type Go = (address: string, how?: 'push' | 'replace') => void;

/** Follows links within the explorer without leaving the page. */
export function followLinks(go: Go): void {
  document.addEventListener('click', (event) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    const link = (event.target as Element).closest('a[href]');
    const href = link?.getAttribute('href') ?? '';
    // Others' addresses, and places on this page, are the browser's.
    if (!href.startsWith('/') || href.startsWith('//') || !pageAt(href)) return;
    event.preventDefault();
    go(href);
  });
}

import { refreshSeconds } from '../views/page.ts';
import { pageAt, type Go } from './links.ts';

/** Interval at which pages check whether their data must be loaded again. */
const CHECK_EVERY_MS = 5_000;

/** Reloads the data of pages with `refreshS`. Hidden pages wait until they are visible. */
export function handleRefreshes(go: Go): void {
  let [address, loadedAt] = ['', 0];
  const check = () => {
    const here = location.pathname + location.search;
    if (here !== address) [address, loadedAt] = [here, performance.now()];
    const page = pageAt(here)?.page;
    const seconds = page && refreshSeconds(page, here);
    const ageMs = performance.now() - loadedAt;
    if (seconds === undefined || ageMs < 1_000 * seconds || document.hidden) return;
    loadedAt = performance.now();
    go(here, 'replace');
  };
  check();
  setInterval(check, CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', check);
}

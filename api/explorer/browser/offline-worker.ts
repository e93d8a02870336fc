/**
 * The service worker, which answers only if the network fails. A request for a page then gets the offline page. A
 * request for a file gets the cached file. Only the offline page and its files are cached in advance. `/api`, `/docs`
 * and `/ops` are ignored.
 */
import { SHELL_PATH, STORE_PREFIX } from './offline-paths.ts';

/** The parts of the service worker API that this file uses. TypeScript's DOM types lack them. */
type Worker = {
  addEventListener: (kind: string, handle: (event: WorkerEvent) => void) => void;
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
};
type WorkerEvent = {
  waitUntil: (done: Promise<unknown>) => void;
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
};

/** Constants that the bundler sets: the release of the pages, and the addresses of their files. */
declare const RELEASE: string;
declare const FILES: string[];

const worker = globalThis as unknown as Worker;
const EXCLUDED_PATHS = /^\/(api|docs|ops|openapi\.json)(\/|$)/;

worker.addEventListener('install', (event) => {
  const filled = caches
    .open(STORE_PREFIX + RELEASE)
    .then((store) => store.addAll([SHELL_PATH, ...FILES]));
  event.waitUntil(filled.then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldStores().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin || EXCLUDED_PATHS.test(pathname)) return;
  if (mode === 'navigate') event.respondWith(fetchOrCached(event.request, SHELL_PATH));
  else if (FILES.includes(pathname)) event.respondWith(fetchOrCached(event.request, pathname));
});

/** Fetches from the network. If the network fails, returns the cached copy of `address`. */
async function fetchOrCached(request: Request, address: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await caches.match(address);
    if (cached) return cached;
    throw error;
  }
}

/** Deletes the caches of other releases, because this release may not understand their data. */
async function deleteOldStores(): Promise<void> {
  const names = await caches.keys();
  const outdated = names.filter((name) => name.startsWith(STORE_PREFIX) && !name.includes(RELEASE));
  await Promise.all(outdated.map((name) => caches.delete(name)));
}

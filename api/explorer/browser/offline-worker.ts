/**
 * Runs in the browser beside the pages, and answers only where the network does not: a page with the shell, a file with the
 * copy made of it. It asks for nothing by itself but the shell and its files, and leaves `/api`, `/docs` and `/ops` alone.
 */
import { SHELL_PATH, STORES } from './offline-paths.ts';

/** Of a worker of this kind; the types of pages do not have it. */
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

/** Put in when it is bundled: what the pages are at this release, and the addresses of their files. */
declare const RELEASE: string;
declare const FILES: string[];

const worker = globalThis as unknown as Worker;
const OTHERS = /^\/(api|docs|ops|openapi\.json)(\/|$)/;

worker.addEventListener('install', (event) => {
  const kept = caches.open(STORES + RELEASE).then((store) => store.addAll([SHELL_PATH, ...FILES]));
  event.waitUntil(kept.then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin || OTHERS.test(pathname)) return;
  if (mode === 'navigate') event.respondWith(orElse(event.request, SHELL_PATH));
  else if (FILES.includes(pathname)) event.respondWith(orElse(event.request, pathname));
});

/** The answer of the network; without one what is kept at the address. */
async function orElse(request: Request, address: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(address);
    if (kept) return kept;
    throw error;
  }
}

/** What other releases kept may not be drawn as this one draws. */
async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(STORES) && !name.includes(RELEASE));
  await Promise.all(others.map((name) => caches.delete(name)));
}

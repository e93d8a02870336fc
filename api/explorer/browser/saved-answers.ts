import { STORE_PREFIX } from './offline-paths.ts';

/** An answer, and the time of its arrival. */
export type SavedAnswer = { data: object; at: number };

/** Number of answers saved for offline use: the latest ones. */
const MAX_ANSWERS = 60;
/** Maximum age of a saved answer. Older answers would mislead. */
const MAX_AGE_MS = 30 * 86_400_000;

/**
 * Opens the cache for this release's answers. Returns undefined if the browser has no cache, for example at insecure
 * addresses.
 */
async function openStore(): Promise<Cache | undefined> {
  if (!('caches' in globalThis)) return undefined;
  const script = document.querySelector<HTMLScriptElement>('script[type=module]');
  const release = /main-(\w+)\.js$/.exec(script?.src ?? '')?.[1] ?? '';
  return caches.open(`${STORE_PREFIX}${release}-answers`);
}

/** Saves an answer under the address of its source. */
export async function saveAnswer(source: string, data: object): Promise<void> {
  try {
    const store = await openStore();
    if (!store) return;
    const answer: SavedAnswer = { data, at: Date.now() };
    // Keys are listed in the order of insertion, so a renewed answer must be deleted first.
    await store.delete(source);
    await store.put(source, new Response(JSON.stringify(answer)));
    const [oldest, ...newer] = await store.keys();
    if (oldest && newer.length >= MAX_ANSWERS) await store.delete(oldest);
  } catch {
    // The browser blocks the cache or has no space left. The page still works online.
  }
}

/** Returns the answer saved for an address, unless it is too old. */
export async function loadAnswer(source: string): Promise<SavedAnswer | undefined> {
  try {
    const response = await (await openStore())?.match(source);
    if (!response) return undefined;
    const answer = (await response.json()) as SavedAnswer;
    return Date.now() - answer.at > MAX_AGE_MS ? undefined : answer;
  } catch {
    return undefined;
  }
}

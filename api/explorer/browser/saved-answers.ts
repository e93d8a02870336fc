import { STORE_PREFIX } from './offline-paths.ts';

/** A saved answer, and the time at which it arrived. */
export type SavedAnswer = { data: object; at: number };

/** Maximum number of answers saved for offline use. The latest answers are kept. */
const MAX_ANSWERS = 60;
/** Maximum age of a saved answer. Older answers would be misleading. */
const MAX_AGE_MS = 30 * 86_400_000;

/**
 * Opens the browser's cache for answers of this release. Returns undefined if the browser offers no cache, for example
 * on insecure addresses.
 */
async function openStore(): Promise<Cache | undefined> {
  if (!('caches' in globalThis)) return undefined;
  const script = document.querySelector<HTMLScriptElement>('script[type=module]');
  const release = /main-(\w+)\.js$/.exec(script?.src ?? '')?.[1] ?? '';
  return caches.open(`${STORE_PREFIX}${release}-answers`);
}

/** Saves an answer under the address of its data. */
export async function saveAnswer(source: string, data: object): Promise<void> {
  try {
    const store = await openStore();
    if (!store) return;
    const answer: SavedAnswer = { data, at: Date.now() };
    // Delete the old answer first, because keys are listed in the order of insertion.
    await store.delete(source);
    await store.put(source, new Response(JSON.stringify(answer)));
    const [oldest, ...newer] = await store.keys();
    if (oldest && newer.length >= MAX_ANSWERS) await store.delete(oldest);
  } catch {
    // The browser blocks the cache or has no space left. The page works without saved answers.
  }
}

/** Returns the saved answer of an address, unless the answer is too old. */
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

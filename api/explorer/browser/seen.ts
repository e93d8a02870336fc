import { STORES } from './offline-paths.ts';

/** An answer as it was given, and when. */
export type Seen = { data: object; at: number };

/** Answers kept for when the network is gone, the last seen ones. */
const KEPT = 60;
/** Older ones would mislead. */
const KEPT_MS = 30 * 86_400_000;

/** A store of this release's answers; undefined where the browser has none, as at addresses that are not secure. */
async function answers(): Promise<Cache | undefined> {
  if (!('caches' in globalThis)) return undefined;
  const script = document.querySelector<HTMLScriptElement>('script[type=module]');
  const release = /main-(\w+)\.js$/.exec(script?.src ?? '')?.[1] ?? '';
  return caches.open(`${STORES}${release}-answers`);
}

/** Keeps an answer by the address it was asked for at. */
export async function remember(source: string, data: object): Promise<void> {
  try {
    const store = await answers();
    if (!store) return;
    const seen: Seen = { data, at: Date.now() };
    // First to last is the order they were put in.
    await store.delete(source);
    await store.put(source, new Response(JSON.stringify(seen)));
    const [oldest, ...others] = await store.keys();
    if (oldest && others.length >= KEPT) await store.delete(oldest);
  } catch {
    // The browser keeps nothing for us, or has no room: there is the network.
  }
}

/** The last answer seen at that address. */
export async function recall(source: string): Promise<Seen | undefined> {
  try {
    const kept = await (await answers())?.match(source);
    if (!kept) return undefined;
    const seen = (await kept.json()) as Seen;
    return Date.now() - seen.at > KEPT_MS ? undefined : seen;
  } catch {
    return undefined;
  }
}

import { z } from 'zod';

/** What the worker and the API share of the news: what it looks like in Redis, and where it is. */

const code = z.string();

/** What an event may be. */
export const EVENT_TYPES = [
  'strike',
  'weather',
  'atc',
  'security',
  'technical',
  'general',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const newsItem = z.object({
  /** Of its address; the same item in a later fetch has the same one. */
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  source: z.string(),
  url: z.string(),
  /** ISO in UTC; when it was first seen, where the feed gives no date. */
  publishedAt: z.iso.datetime(),
  eventType: z.enum(EVENT_TYPES),
  impact: z.enum(['low', 'medium', 'high']),
  /** The days it names for itself, both included; kept until they are over. */
  days: z.object({ from: z.iso.date(), until: z.iso.date() }).optional(),
  /** When a later report said that it is over, ISO; kept so that an old feed does not bring it back. */
  endedAt: z.iso.datetime().optional(),
  /** 0 to 1; docs/news.md explains the scale. */
  severity: z.number().min(0).max(1),
  touches: z.object({
    airports: z.array(code),
    carriers: z.array(code),
    countries: z.array(code),
  }),
});

/** A disruption somebody reported, and the flights it touches. */
export type NewsItem = z.infer<typeof newsItem>;

const newsList = z.array(newsItem);

/** All items of the last days, those that ended included, as JSON; newest first. */
export const NEWS_ITEMS_KEY = 'hw:news:items';
/** Hash: when the news of a route were last fetched, ISO, by `JFK-LAX`. */
export const NEWS_ROUTES_KEY = 'hw:news:routes';
/** List of what the API wants fetched, as `newsWish` writes it, oldest at the end. */
export const NEWS_WANTED_KEY = 'hw:news:wanted';
/** Exists while a worker takes what is wanted, and `NEWS_LISTENER_S` after; without one nobody need wait. */
export const NEWS_LISTENER_KEY = 'hw:news:listener';
/** Longer than the fetch of a route, during which a worker looks for nothing else. */
export const NEWS_LISTENER_S = 30;
/** Told of every change to the items and of every route that was asked for; the message is the route, or empty. */
export const NEWS_CHANNEL = 'hw:news:changed';

/** A route the API wants fetched, and the request that asked first. */
export type NewsWish = { route: string; requestId?: string };

/** The wish as it is listed: `JFK-LAX`, and the id behind a blank. */
export function newsWish({ route, requestId }: NewsWish): string {
  return requestId === undefined ? route : `${route} ${requestId}`;
}

/** A listed wish; undefined for what is none. */
export function readNewsWish(entry: string): NewsWish | undefined {
  const [, route, requestId] = /^([A-Z]{3}-[A-Z]{3})(?: ([0-9A-Za-z-]{1,64}))?$/.exec(entry) ?? [];
  if (route === undefined) return undefined;
  return { route, ...(requestId !== undefined && { requestId }) };
}

/** What the key below holds once it is known that nothing comes. */
export const NEWS_ASKED_IN_VAIN = 'in vain';

/** Exists for a minute after a route was asked for, so that it is asked for once; holds when, ISO. */
export function newsAskedKey(route: string): string {
  return `hw:news:asked:${route}`;
}

/** Those of the items that still matter. */
export function ongoing(items: NewsItem[]): NewsItem[] {
  return items.filter(({ endedAt }) => endedAt === undefined);
}

/** The items as they are kept; empty when there are none, or none that this code can read. */
export function readNewsList(json: string | null): NewsItem[] {
  if (json === null) return [];
  try {
    const read = newsList.safeParse(JSON.parse(json));
    return read.success ? read.data : [];
  } catch {
    return [];
  }
}

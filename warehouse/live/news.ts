import { z } from 'zod';

/** The news in Redis, shared by worker and API: keys and formats. */

const code = z.string();

/** Kinds of events. */
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
  /** Id derived from the address, so that an item keeps its id in later fetches. */
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  source: z.string(),
  url: z.string(),
  /** ISO in UTC; the time of the first fetch if the feed gives no date. */
  publishedAt: z.iso.datetime(),
  eventType: z.enum(EVENT_TYPES),
  impact: z.enum(['low', 'medium', 'high']),
  /** The first and last day that the text names for the event. The item is stored until the last day has passed. */
  days: z.object({ from: z.iso.date(), until: z.iso.date() }).optional(),
  /**
   * Time of the report that the event has ended (ISO). An ended item remains stored. Otherwise an old feed would add it
   * again.
   */
  endedAt: z.iso.datetime().optional(),
  /** 0 to 1; docs/news.md explains the scale. */
  severity: z.number().min(0).max(1),
  touches: z.object({
    airports: z.array(code),
    carriers: z.array(code),
    countries: z.array(code),
  }),
});

/** A reported disruption and the flights that it affects. */
export type NewsItem = z.infer<typeof newsItem>;

const newsList = z.array(newsItem);

/** All items of the last days as JSON, newest first, including ended items. */
export const NEWS_ITEMS_KEY = 'hw:news:items';
/** Redis hash that maps a route (`JFK-LAX`) to the time of its last fetch (ISO). */
export const NEWS_ROUTES_KEY = 'hw:news:routes';
/**
 * List of the routes whose news the API needs, in the format of `formatNewsRequest`. The oldest request is at the end.
 */
export const NEWS_REQUESTS_KEY = 'hw:news:wanted';
/**
 * Key that exists while a worker processes requests, and for `NEWS_LISTENER_S` seconds afterwards. If it is missing, no
 * worker is running, and the API does not wait for news.
 */
export const NEWS_LISTENER_KEY = 'hw:news:listener';
/**
 * Expiry of the key in seconds. It is longer than a fetch of one route takes, because a worker reads no other request
 * during a fetch.
 */
export const NEWS_LISTENER_S = 30;
/** Channel that announces changed items and finished or failed requests. The message is the route, or empty. */
export const NEWS_CHANNEL = 'hw:news:changed';

/** A request to fetch the news of a route. `requestId` is the id of the first API request that needed the news. */
export type NewsRequest = { route: string; requestId?: string };

/** Formats a request for the list: the route and, after a space, the id. */
export function formatNewsRequest({ route, requestId }: NewsRequest): string {
  return requestId === undefined ? route : `${route} ${requestId}`;
}

/** Parses an entry of the list; undefined if the entry is invalid. */
export function parseNewsRequest(entry: string): NewsRequest | undefined {
  const [, route, requestId] = /^([A-Z]{3}-[A-Z]{3})(?: ([0-9A-Za-z-]{1,64}))?$/.exec(entry) ?? [];
  if (route === undefined) return undefined;
  return { route, ...(requestId !== undefined && { requestId }) };
}

/** Value of `newsRequestKey` after a request has failed, so that callers stop waiting. */
export const NEWS_REQUEST_UNANSWERED = 'in vain';

/**
 * Returns the key that exists for a minute after a request for the route, so that the same request is not made twice.
 * Its value is the time of the request (ISO).
 */
export function newsRequestKey(route: string): string {
  return `hw:news:request:${route}`;
}

/** Returns the items whose event has not ended. */
export function filterOngoing(items: NewsItem[]): NewsItem[] {
  return items.filter(({ endedAt }) => endedAt === undefined);
}

/** Parses the stored items; empty if they are missing or cannot be read. */
export function readNewsList(json: string | null): NewsItem[] {
  if (json === null) return [];
  try {
    const parsed = newsList.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

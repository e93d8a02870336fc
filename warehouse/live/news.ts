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
  /** The first and the last day that the text names. The item is stored until both days have passed. */
  days: z.object({ from: z.iso.date(), until: z.iso.date() }).optional(),
  /**
   * Time of the report that the event is over, ISO. An ended item stays stored, so that an old feed does not reopen
   * it.
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

/** All items of the last days as JSON, newest first. Items that have ended are included. */
export const NEWS_ITEMS_KEY = 'hw:news:items';
/** Hash that maps a route (`JFK-LAX`) to the time of the route's last fetch (ISO). */
export const NEWS_ROUTES_KEY = 'hw:news:routes';
/**
 * List of routes that the API requests to fetch, in the format of `formatNewsRequest`. The oldest request is at the
 * end.
 */
export const NEWS_REQUESTS_KEY = 'hw:news:wanted';
/**
 * Exists while a worker processes the requests, and for `NEWS_LISTENER_S` afterwards. If this key is missing, nobody
 * processes requests and the API does not wait.
 */
export const NEWS_LISTENER_KEY = 'hw:news:listener';
/** Must be longer than the fetch of a route takes, because a worker reads no other request during a fetch. */
export const NEWS_LISTENER_S = 30;
/** Channel that announces changed items, finished requests and failed requests. The message is the route, or empty. */
export const NEWS_CHANNEL = 'hw:news:changed';

/** A request to fetch the news of a route, with the id of the first API request that needed the news. */
export type NewsRequest = { route: string; requestId?: string };

/** Formats a request for the list: `JFK-LAX`, then a space and the id. */
export function formatNewsRequest({ route, requestId }: NewsRequest): string {
  return requestId === undefined ? route : `${route} ${requestId}`;
}

/** Parses an entry of the list; undefined if the entry is invalid. */
export function parseNewsRequest(entry: string): NewsRequest | undefined {
  const [, route, requestId] = /^([A-Z]{3}-[A-Z]{3})(?: ([0-9A-Za-z-]{1,64}))?$/.exec(entry) ?? [];
  if (route === undefined) return undefined;
  return { route, ...(requestId !== undefined && { requestId }) };
}

/** Value at `newsRequestKey` once no worker will answer the request. */
export const NEWS_REQUEST_UNANSWERED = 'in vain';

/**
 * Key that exists for a minute after a request for the route, to deduplicate requests. The key's value is the time of
 * the request (ISO).
 */
export function newsRequestKey(route: string): string {
  return `hw:news:request:${route}`;
}

/** Returns the items that have not ended. */
export function filterOngoing(items: NewsItem[]): NewsItem[] {
  return items.filter(({ endedAt }) => endedAt === undefined);
}

/** Parses the stored items; empty if the items are absent or unreadable. */
export function readNewsList(json: string | null): NewsItem[] {
  if (json === null) return [];
  try {
    const parsed = newsList.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

import type { NewsItem } from '../../warehouse/live/news.ts';
import type { Progress } from '../../warehouse/progress.ts';

/** One entry of a feed, with its text cleaned: plain, one line, no markup. */
export type FeedItem = {
  title: string;
  /** Plain text; empty when the feed has none. */
  description: string;
  /** An http(s) address. */
  url: string;
  /** ISO 8601; absent when the feed has no readable date. */
  publishedAt?: string;
  /** The publisher; present only if the feed is a search over many publishers. */
  source?: string;
};

export type ParsedFeed = {
  /** Title of the feed; empty when it has none. */
  title: string;
  items: FeedItem[];
  /** Number of entries left out because they have no title or no http(s) link. */
  unusable: number;
};

/** A server's version of a feed. The next request sends the version back, so that the server can answer 304. */
export type FeedVersion = { etag?: string; lastModified?: string };

/** Storage of the news: Redis in jobs, memory in tests. */
export type NewsStorage = {
  items: () => Promise<NewsItem[]>;
  /**
   * Changes the items with `change`. Repeats the change if another worker changed the items meanwhile. Notifies the
   * API.
   */
  changeItems: (change: (stored: NewsItem[]) => NewsItem[]) => Promise<NewsItem[]>;
  version: (feed: string) => Promise<FeedVersion>;
  saveVersion: (feed: string, version: FeedVersion) => Promise<void>;
  /** Records that the news for a route is up to date, and notifies the API. The route '' means all routes. */
  noteFetched: (route: string, at: Date) => Promise<void>;
  /** Notifies the API that the fetch for the route failed. The API then stops waiting. */
  noteFailed: (route: string) => Promise<void>;
};

export type FeedFailure = { feed: string; problem: string };

export type NewsReport = {
  /** Number of requested feeds, including unchanged feeds. */
  feeds: number;
  failed: FeedFailure[];
  /** Number of entries read. */
  read: number;
  /** Number of entries that affect flights, before stories are merged. */
  relevant: number;
  /** Number of stored stories that are not over. */
  kept: number;
};

/** The news steps; each is safe to run twice. */
export type NewsSteps = {
  /** Fetches the general feeds. */
  refreshNews: (progress: Progress) => Promise<NewsReport>;
  /** Fetches the searches for a route, `JFK-LAX`. */
  refreshRouteNews: (route: string) => Promise<NewsReport>;
};

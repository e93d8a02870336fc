import type { NewsItem } from '../../warehouse/live/news.ts';
import type { Progress } from '../../warehouse/progress.ts';

/** One entry of a feed as it came, its text cleaned: plain, one line, no markup. */
export type FeedItem = {
  title: string;
  /** Plain text; empty when the feed has none. */
  description: string;
  /** An http(s) address. */
  url: string;
  /** ISO 8601; absent when the feed gives none that can be read. */
  publishedAt?: string;
  /** Who wrote it, where the feed is a search over many sources. */
  source?: string;
};

export type ParsedFeed = {
  /** Name the feed gives itself; empty when it has none. */
  title: string;
  items: FeedItem[];
  /** Entries left out because they have no title or no http(s) link. */
  unusable: number;
};

/** What a server said a feed's version is, sent back so that it answers 304 while there is nothing new. */
export type FeedVersion = { etag?: string; lastModified?: string };

/** Where the news are kept; what jobs make of Redis, and tests of memory. */
export type NewsPlace = {
  items: () => Promise<NewsItem[]>;
  /** Changes the items by what `change` makes of them, once more when another worker was faster; tells the API. */
  changeItems: (change: (known: NewsItem[]) => NewsItem[]) => Promise<NewsItem[]>;
  version: (feed: string) => Promise<FeedVersion>;
  keepVersion: (feed: string, version: FeedVersion) => Promise<void>;
  /** Notes that the news of the route, or of all with '', are as of now, and tells the API. */
  noteFetched: (route: string, at: Date) => Promise<void>;
  /** Tells the API that nothing came for the route, so that it waits no longer. */
  noteFailed: (route: string) => Promise<void>;
};

export type FeedFailure = { feed: string; problem: string };

export type NewsReport = {
  /** Feeds asked, those unchanged included. */
  feeds: number;
  failed: FeedFailure[];
  /** Entries read. */
  read: number;
  /** Of them, those that touch flights, before stories are put together. */
  relevant: number;
  /** Stories kept now. */
  kept: number;
};

/** The steps of the news, each safe to run twice. */
export type NewsSteps = {
  /** Fetches the general feeds. */
  refreshNews: (progress: Progress) => Promise<NewsReport>;
  /** Fetches the searches for a route, `JFK-LAX`. */
  refreshRouteNews: (route: string) => Promise<NewsReport>;
};

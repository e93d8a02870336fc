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

import {
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleAll,
  handleWhen,
  isBrokenCircuitError,
  retry,
  wrap,
  type IPolicy,
} from 'cockatiel';
import { SourceOutageError } from '../errors.ts';
import { statusError, type GuardedFetch } from '../fetch-guarded.ts';
import { FEED_MAX_BYTES } from './feed-text.ts';
import type { FeedAddress } from './feeds.ts';
import type { FeedParser } from './parser-thread.ts';
import type { FeedVersion, NewsStorage, ParsedFeed } from './types.ts';

/**
 * The new content of a feed, and the version of the feed. The version is saved after the items. `unchanged` if the
 * server reports no change.
 */
export type FeedReading = (ParsedFeed & { url: string; version: FeedVersion }) | 'unchanged';

/** Fetches one feed; throws when this fails, or when the feed is paused after repeated failures. */
export type FeedReader = (feed: FeedAddress, parser: FeedParser) => Promise<FeedReading>;

export type FeedReaderDeps = {
  fetch: GuardedFetch;
  storage: Pick<NewsStorage, 'version'>;
  now: () => Date;
  /** Wait before the second try. The wait before the third try is up to twice as long. Both waits have jitter. */
  retryMs?: number;
};

/** Limits of one fetch of a feed. */
export const FEED_LIMITS = { deadlineMs: 10_000, maxBytes: FEED_MAX_BYTES };
const RETRY_MS = 1_000;
const MAX_RETRIES = 2;
/**
 * After this many failed refreshes in a row, a feed is paused for four refreshes. `Retry-After` does not make the pause
 * longer.
 */
const FAILURES_TO_BREAK = 3;
const PAUSE_MS = 2 * 3_600_000;
/**
 * Length of the pause of a feed that searches for a route. It is shorter than the pause of other feeds. A search runs
 * whenever a caller requests a route, so three failures may occur within a minute.
 */
const SEARCH_PAUSE_MS = 10 * 60_000;

/**
 * Creates the function that fetches feeds, each with its own circuit breaker, so that feeds do not affect each other.
 * All searches of one template share one circuit breaker.
 */
export function createFeedReader(deps: FeedReaderDeps): FeedReader {
  const policies = new Map<string, IPolicy>();
  const pausedUntil = new Map<string, number>();
  return async ({ url, template }, parser) => {
    const feed = template ?? url;
    if ((pausedUntil.get(feed) ?? 0) > deps.now().getTime()) {
      throw new SourceOutageError(feedName(url), 'is paused, because its server asked for a pause');
    }
    const pauseMs = template === undefined ? PAUSE_MS : SEARCH_PAUSE_MS;
    const policy = policies.get(feed) ?? newPolicy(deps.retryMs ?? RETRY_MS, pauseMs);
    policies.set(feed, policy);
    try {
      return await policy.execute(() => readOnce(url, parser, deps));
    } catch (error) {
      const retryAfterMs = error instanceof SourceOutageError ? error.retryAfterMs : undefined;
      if (retryAfterMs !== undefined) {
        pausedUntil.set(feed, deps.now().getTime() + Math.min(retryAfterMs, pauseMs));
      }
      if (!isBrokenCircuitError(error)) throw error;
      throw new SourceOutageError(feedName(url), 'is paused after repeated failures');
    }
  };
}

/** The name of a feed in messages: its address without the query, which may contain keys. */
export function feedName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

async function readOnce(
  url: string,
  parser: FeedParser,
  deps: FeedReaderDeps,
): Promise<FeedReading> {
  const answer = await deps.fetch({ url, headers: conditions(await deps.storage.version(url)) });
  if (answer.status === 304) return 'unchanged';
  if (answer.status !== 200) throw statusError(url, answer, deps.now());
  const contentType = answer.headers.get('content-type') ?? '';
  const feed = await parser.parse({ source: feedName(url), bytes: answer.body, contentType });
  return { ...feed, url, version: versionOf(answer.headers) };
}

function conditions({ etag, lastModified }: FeedVersion): Record<string, string> {
  return {
    accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.5',
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

function versionOf(headers: Headers): FeedVersion {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return { ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) };
}

function newPolicy(retryMs: number, pauseMs: number): IPolicy {
  // Errors with a retry time are not retried, because the server wants no request before this time. Refusals are not
  // retried, because a retry would be refused again.
  const isTransient = (error: unknown) =>
    error instanceof SourceOutageError && error.retryAfterMs === undefined;
  const backoff = new ExponentialBackoff({ initialDelay: retryMs, maxDelay: 4 * retryMs });
  return wrap(
    circuitBreaker(handleAll, {
      halfOpenAfter: pauseMs,
      breaker: new ConsecutiveBreaker(FAILURES_TO_BREAK),
    }),
    retry(handleWhen(isTransient), { maxAttempts: MAX_RETRIES, backoff }),
  );
}

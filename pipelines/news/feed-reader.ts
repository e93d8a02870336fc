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
import type { FeedVersion, NewsPlace, ParsedFeed } from './types.ts';

/** What a feed has that is new, with the version to keep once its items are kept; `unchanged` when the server says nothing is. */
export type FeedReading = (ParsedFeed & { url: string; version: FeedVersion }) | 'unchanged';

/** Gets one feed; throws when it cannot be had, or is left alone for having failed too often. */
export type FeedReader = (feed: FeedAddress, parser: FeedParser) => Promise<FeedReading>;

export type FeedReaderDeps = {
  fetch: GuardedFetch;
  place: Pick<NewsPlace, 'version'>;
  now: () => Date;
  /** Before the second try; the third waits up to twice as long, both with jitter. */
  retryMs?: number;
};

/** What one fetch of a feed may take. */
export const FEED_LIMITS = { deadlineMs: 10_000, maxBytes: FEED_MAX_BYTES };
const RETRY_MS = 1_000;
const MAX_RETRIES = 2;
/** So many refreshes in a row may fail before a feed is left alone: four refreshes long. */
const FAILURES_IN_A_ROW = 3;
const LEFT_ALONE_MS = 2 * 3_600_000;
/** A search is asked whenever a caller wants a route, so it may have failed three times within a minute. */
const SEARCH_LEFT_ALONE_MS = 10 * 60_000;

/**
 * Makes the function that gets feeds, each behind a breaker of its own, so that one never harms another; the searches of
 * one template are one feed, whichever routes they are for.
 */
export function createFeedReader(deps: FeedReaderDeps): FeedReader {
  const policies = new Map<string, IPolicy>();
  const restUntil = new Map<string, number>();
  return async ({ url, template }, parser) => {
    const feed = template ?? url;
    if ((restUntil.get(feed) ?? 0) > deps.now().getTime()) {
      throw new SourceOutageError(nameOf(url), 'is left alone as it asked to be');
    }
    const leftAloneMs = template === undefined ? LEFT_ALONE_MS : SEARCH_LEFT_ALONE_MS;
    const policy = policies.get(feed) ?? newPolicy(deps.retryMs ?? RETRY_MS, leftAloneMs);
    policies.set(feed, policy);
    try {
      return await policy.execute(() => readOnce(url, parser, deps));
    } catch (error) {
      const rest = error instanceof SourceOutageError ? error.retryAfterMs : undefined;
      if (rest !== undefined) {
        restUntil.set(feed, deps.now().getTime() + Math.min(rest, LEFT_ALONE_MS));
      }
      if (!isBrokenCircuitError(error)) throw error;
      throw new SourceOutageError(nameOf(url), 'is left alone after failing too often');
    }
  };
}

/** An address as messages may show it: queries may hold keys. */
export function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

async function readOnce(
  url: string,
  parser: FeedParser,
  deps: FeedReaderDeps,
): Promise<FeedReading> {
  const answer = await deps.fetch({ url, headers: conditions(await deps.place.version(url)) });
  if (answer.status === 304) return 'unchanged';
  if (answer.status !== 200) throw statusError(url, answer, deps.now());
  const contentType = answer.headers.get('content-type') ?? '';
  const feed = await parser.parse({ source: nameOf(url), bytes: answer.body, contentType });
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

function newPolicy(retryMs: number, leftAloneMs: number): IPolicy {
  // One that says when to come back is not asked before; one that is refused is refused again.
  const mayPass = (error: unknown) =>
    error instanceof SourceOutageError && error.retryAfterMs === undefined;
  const backoff = new ExponentialBackoff({ initialDelay: retryMs, maxDelay: 4 * retryMs });
  return wrap(
    circuitBreaker(handleAll, {
      halfOpenAfter: leftAloneMs,
      breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    }),
    retry(handleWhen(mayPass), { maxAttempts: MAX_RETRIES, backoff }),
  );
}

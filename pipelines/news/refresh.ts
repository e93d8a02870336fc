import { sha256 } from '../../warehouse/ground/hashes.ts';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { NewsItem } from '../../warehouse/live/news.ts';
import { NEWS_DAYS } from '../../models/event-risk.ts';
import type { Airport } from '../../warehouse/store/types.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { feedName, type FeedReader, type FeedReading } from './feed-reader.ts';
import { routeAddress, type FeedAddress, type Feeds } from './feeds.ts';
import type { Gazetteer } from './gazetteer.ts';
import { eventDays } from './event-days.ts';
import { markEnded, type DatedEnding } from './endings.ts';
import { judge, judgeEnding } from './judge.ts';
import type { FeedParser } from './parser-thread.ts';
import { mergeStories } from './same-story.ts';
import type { Summarise, UnsummarisedItem } from './summarise.ts';
import type {
  FeedFailure,
  FeedItem,
  NewsStorage,
  NewsReport,
  NewsSteps,
  ParsedFeed,
} from './types.ts';

export type NewsDeps = {
  feeds: Feeds;
  /** If absent, no outbound call is ever made. */
  read: FeedReader | undefined;
  openParser: () => FeedParser;
  gazetteer: () => Promise<Gazetteer>;
  airport: (iata: string) => Promise<Airport | undefined>;
  /**
   * Creates a summariser. Each refresh creates its own summariser. Therefore, if the endpoint failed in one refresh,
   * the next refresh tries the endpoint again.
   */
  summariser: () => Summarise;
  storage: NewsStorage;
  now: () => Date;
};

/**
 * Maximum time by which a publication date may lie in the future. Clocks and time zones of publishers may be a day
 * ahead. A later date is a mistake, so the item cannot be trusted.
 */
const MAX_AHEAD_MS = DAY_MS;
/** Maximum number of stored stories. Only the newest stories are stored. A busy week has some hundreds. */
const MAX_ITEMS = 500;
const FEEDS_AT_ONCE = 4;

/** Creates the news steps. */
export function createNewsSteps(deps: NewsDeps): NewsSteps {
  return {
    refreshNews: (progress) => {
      const addresses = deps.feeds.general.map((url) => ({ url }));
      return refresh(deps, '', addresses, progress);
    },
    refreshRouteNews: async (route) => {
      const addresses = await routeAddresses(route, deps);
      return refresh(deps, route, addresses, () => undefined);
    },
  };
}

async function routeAddresses(route: string, { feeds, airport }: NewsDeps): Promise<FeedAddress[]> {
  const [origin = '', dest = ''] = route.split('-');
  const [from, to] = await Promise.all([airport(origin), airport(dest)]);
  if (!from || !to) return [];
  const words = {
    origin,
    dest,
    origin_city: from.city || from.name,
    dest_city: to.city || to.name,
  };
  return feeds.perRoute.map((template) => ({ url: routeAddress(template, words), template }));
}

/** Fetches the feeds and saves their new items. If a feed fails, the other feeds are still fetched. */
async function refresh(
  deps: NewsDeps,
  route: string,
  addresses: FeedAddress[],
  progress: Progress,
): Promise<NewsReport> {
  const { fed: readings, failed } = await readAll(deps, addresses, progress);
  if (readings.length === 0) {
    await deps.storage.noteFailed(route);
    return {
      feeds: addresses.length,
      failed,
      read: 0,
      relevant: 0,
      kept: (await deps.storage.items()).length,
    };
  }
  const now = deps.now();
  const names = await deps.gazetteer();
  const entries = readings.flatMap((feed) => (feed === 'unchanged' ? [] : withSource(feed)));
  const relevant = entries.flatMap((entry) => relevantItem(entry, names, now));
  const endings = entries.flatMap((entry) => endingOf(entry, names, now));
  const newItems = await summariseNew(relevant, deps);
  const items = await deps.storage.changeItems((stored) =>
    markEnded(mergeStories(stored, newItems), endings)
      .filter((item) => isRecent(item, now))
      .toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1))
      .slice(0, MAX_ITEMS),
  );
  // Save the versions last: if items are not saved, their feed is fetched in full again.
  for (const feed of readings) {
    if (feed !== 'unchanged') await deps.storage.saveVersion(feed.url, feed.version);
  }
  await deps.storage.noteFetched(route, now);
  return {
    feeds: addresses.length,
    failed,
    read: entries.length,
    relevant: relevant.length,
    kept: items.filter(({ endedAt }) => endedAt === undefined).length,
  };
}

async function readAll(
  { read, openParser }: NewsDeps,
  addresses: FeedAddress[],
  progress: Progress,
) {
  const readings: FeedReading[] = [];
  const failed: FeedFailure[] = [];
  if (read === undefined) {
    const problem = 'not fetched: OFFLINE=1 is set';
    return {
      fed: readings,
      failed: addresses.map(({ url }) => ({ feed: feedName(url), problem })),
    };
  }
  const parser = openParser();
  const queue = [...addresses];
  const work = async () => {
    for (let feed = queue.shift(); feed !== undefined; feed = queue.shift()) {
      const name = feedName(feed.url);
      try {
        readings.push(await read(feed, parser));
      } catch (error) {
        failed.push({ feed: name, problem: (error as Error).message });
      }
      progress(readings.length + failed.length, addresses.length, name);
    }
  };
  try {
    await Promise.all(Array.from({ length: FEEDS_AT_ONCE }, work));
  } finally {
    await parser.close();
  }
  return { fed: readings, failed };
}

type SourcedItem = FeedItem & { source: string };

function withSource({ title, items }: ParsedFeed): SourcedItem[] {
  return items.map((item) => ({
    ...item,
    source: item.source ?? (title || new URL(item.url).host),
  }));
}

/** Converts an entry to an item if it is recent and affects flights somewhere. */
function relevantItem(entry: SourcedItem, names: Gazetteer, now: Date): UnsummarisedItem[] {
  const at = publicationDate(entry, now);
  if (at === undefined) return [];
  const judgement = judge(entry, at.getUTCFullYear(), names);
  if (!judgement) return [];
  const { airports, carriers, countries } = judgement.touches;
  if (airports.length + carriers.length + countries.length === 0) return [];
  const { title, description, url, source } = entry;
  const id = sha256(url).slice(0, 16);
  const days = eventDays(title, judgement.eventType, at);
  const dates = { publishedAt: at.toISOString(), ...(days && { days }) };
  return [{ id, title, description, url, source, ...dates, ...judgement }];
}

/** Whether an item was published in the last seven days, or its event ended in the last seven days. */
function isRecent({ publishedAt, days }: NewsItem, now: Date): boolean {
  const latest = Math.max(Date.parse(publishedAt), days ? Date.parse(days.until) + DAY_MS : 0);
  return latest > now.getTime() - NEWS_DAYS * DAY_MS;
}

/** Returns a list with the event whose end a recent entry reports. The list is empty if the entry reports no end. */
function endingOf(entry: SourcedItem, names: Gazetteer, now: Date): DatedEnding[] {
  const at = publicationDate(entry, now);
  const ending = at && judgeEnding(entry, at.getUTCFullYear(), names);
  return ending ? [{ ...ending, publishedAt: at.toISOString() }] : [];
}

/**
 * Returns the publication date of an entry. Returns the current time if the entry has no date, or a date slightly in
 * the future. Returns undefined if the date is old or implausible.
 */
function publicationDate({ publishedAt }: FeedItem, now: Date): Date | undefined {
  if (publishedAt === undefined) return now;
  const at = Date.parse(publishedAt);
  const isOld = at < now.getTime() - NEWS_DAYS * DAY_MS;
  if (isOld || at > now.getTime() + MAX_AHEAD_MS) return undefined;
  return new Date(Math.min(at, now.getTime()));
}

/** Summarises new items. Items that are already stored keep their summary. */
async function summariseNew(unsummarised: UnsummarisedItem[], deps: NewsDeps): Promise<NewsItem[]> {
  const storedItems = new Map((await deps.storage.items()).map((item) => [item.id, item]));
  const summarise = deps.summariser();
  const items: NewsItem[] = [];
  for (const item of unsummarised) {
    const summary = storedItems.get(item.id)?.summary ?? (await summarise(item));
    const { description: _, ...rest } = item;
    items.push({ ...rest, summary });
  }
  return items;
}

import { sha256 } from '../../warehouse/ground/sha256.ts';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { NewsItem } from '../../warehouse/live/news.ts';
import { NEWS_DAYS } from '../../models/event-risk.ts';
import type { Airport } from '../../warehouse/store/types.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { nameOf, type FeedReader, type FeedReading } from './feed-reader.ts';
import { routeAddress, type FeedAddress, type Feeds } from './feeds.ts';
import type { Gazetteer } from './gazetteer.ts';
import { eventDays } from './event-days.ts';
import { markEnded, type DatedEnding } from './endings.ts';
import { judge, judgeEnding } from './judge.ts';
import type { FeedParser } from './parser-thread.ts';
import { mergeStories } from './same-story.ts';
import type { Summarise, Unsummarised } from './summarise.ts';
import type {
  FeedFailure,
  FeedItem,
  NewsPlace,
  NewsReport,
  NewsSteps,
  ParsedFeed,
} from './types.ts';

export type NewsDeps = {
  feeds: Feeds;
  /** Absent: no outbound call is ever made. */
  read: FeedReader | undefined;
  openParser: () => FeedParser;
  gazetteer: () => Promise<Gazetteer>;
  airport: (iata: string) => Promise<Airport | undefined>;
  /** A new one for each refresh: an endpoint that failed is tried again in the next. */
  summariser: () => Summarise;
  place: NewsPlace;
  now: () => Date;
};

/** The clocks and zones of publishers may be a day ahead; beyond that the date is a mistake, and so may be all else. */
const MAX_AHEAD_MS = DAY_MS;
/** Stories kept, newest first; a busy week has some hundreds. */
const MAX_ITEMS = 500;
const FEEDS_AT_ONCE = 4;

/** The news steps over the parts given. */
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

/** Fetches the feeds and keeps what is new of them; those that fail keep nothing from the others. */
async function refresh(
  deps: NewsDeps,
  route: string,
  addresses: FeedAddress[],
  progress: Progress,
): Promise<NewsReport> {
  const { fed, failed } = await readAll(deps, addresses, progress);
  if (fed.length === 0) {
    await deps.place.noteFailed(route);
    return {
      feeds: addresses.length,
      failed,
      read: 0,
      relevant: 0,
      kept: (await deps.place.items()).length,
    };
  }
  const now = deps.now();
  const names = await deps.gazetteer();
  const entries = fed.flatMap((feed) => (feed === 'unchanged' ? [] : withSource(feed)));
  const relevant = entries.flatMap((entry) => relevantItem(entry, names, now));
  const endings = entries.flatMap((entry) => endingOf(entry, names, now));
  const fresh = await summarised(relevant, deps);
  const items = await deps.place.changeItems((known) =>
    markEnded(mergeStories(known, fresh), endings)
      .filter((item) => isOfTheseDays(item, now))
      .toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1))
      .slice(0, MAX_ITEMS),
  );
  // Only now: a feed whose items were not kept is asked for again in full.
  for (const feed of fed) {
    if (feed !== 'unchanged') await deps.place.keepVersion(feed.url, feed.version);
  }
  await deps.place.noteFetched(route, now);
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
  const fed: FeedReading[] = [];
  const failed: FeedFailure[] = [];
  if (read === undefined) {
    const problem = 'not fetched, for OFFLINE=1 is set';
    return { fed, failed: addresses.map(({ url }) => ({ feed: nameOf(url), problem })) };
  }
  const parser = openParser();
  const waiting = [...addresses];
  const work = async () => {
    for (let feed = waiting.shift(); feed !== undefined; feed = waiting.shift()) {
      const name = nameOf(feed.url);
      try {
        fed.push(await read(feed, parser));
      } catch (error) {
        failed.push({ feed: name, problem: (error as Error).message });
      }
      progress(fed.length + failed.length, addresses.length, name);
    }
  };
  try {
    await Promise.all(Array.from({ length: FEEDS_AT_ONCE }, work));
  } finally {
    await parser.close();
  }
  return { fed, failed };
}

type Sourced = FeedItem & { source: string };

function withSource({ title, items }: ParsedFeed): Sourced[] {
  return items.map((item) => ({
    ...item,
    source: item.source ?? (title || new URL(item.url).host),
  }));
}

/** The entry as an item, when it is of these days and touches a flight somewhere. */
function relevantItem(entry: Sourced, names: Gazetteer, now: Date): Unsummarised[] {
  const at = dateOf(entry, now);
  if (at === undefined) return [];
  const judged = judge(entry, at.getUTCFullYear(), names);
  if (!judged) return [];
  const { airports, carriers, countries } = judged.touches;
  if (airports.length + carriers.length + countries.length === 0) return [];
  const { title, description, url, source } = entry;
  const id = sha256(url).slice(0, 16);
  const days = eventDays(title, judged.eventType, at);
  const dated = { publishedAt: at.toISOString(), ...(days && { days }) };
  return [{ id, title, description, url, source, ...dated, ...judged }];
}

/** Of the last seven days, or of days of its own that were not over before them. */
function isOfTheseDays({ publishedAt, days }: NewsItem, now: Date): boolean {
  const latest = Math.max(Date.parse(publishedAt), days ? Date.parse(days.until) + DAY_MS : 0);
  return latest > now.getTime() - NEWS_DAYS * DAY_MS;
}

/** The event the entry says is over, when it says so in these days. */
function endingOf(entry: Sourced, names: Gazetteer, now: Date): DatedEnding[] {
  const at = dateOf(entry, now);
  const ending = at && judgeEnding(entry, at.getUTCFullYear(), names);
  return ending ? [{ ...ending, publishedAt: at.toISOString() }] : [];
}

/** When it was published: now where the feed does not tell, never in the future; absent for what is old or dated wrongly. */
function dateOf({ publishedAt }: FeedItem, now: Date): Date | undefined {
  if (publishedAt === undefined) return now;
  const at = Date.parse(publishedAt);
  const isOld = at < now.getTime() - NEWS_DAYS * DAY_MS;
  if (isOld || at > now.getTime() + MAX_AHEAD_MS) return undefined;
  return new Date(Math.min(at, now.getTime()));
}

/** Those not seen before are summarised; the others bring nothing to their story that needs another sentence. */
async function summarised(items: Unsummarised[], deps: NewsDeps): Promise<NewsItem[]> {
  const known = new Map((await deps.place.items()).map((item) => [item.id, item]));
  const summarise = deps.summariser();
  const all: NewsItem[] = [];
  for (const item of items) {
    const summary = known.get(item.id)?.summary ?? (await summarise(item));
    const { description: _, ...rest } = item;
    all.push({ ...rest, summary });
  }
  return all;
}

import Parser from 'rss-parser';
import { cleanText, safeLink } from './clean-text.ts';
import { FeedError } from './feed-text.ts';
import type { FeedItem, ParsedFeed } from './types.ts';

const TITLE_CHARS = 300;
const DESCRIPTION_CHARS = 600;
const SOURCE_CHARS = 80;
/** Maximum number of entries, more than any of our feeds has. From a longer feed, the oldest entries are dropped. */
const MAX_ITEMS = 200;

type Entry = Parser.Item & { source?: unknown };

/**
 * Parses the entries of an RSS or Atom feed, from text that `feedText` accepted.
 * Throws `FeedError` when the text is not a feed.
 */
export async function parseFeed(text: string): Promise<ParsedFeed> {
  const parser = new Parser<object, Entry>({ defaultRSS: 2, customFields: { item: ['source'] } });
  let feed: Parser.Output<Entry>;
  try {
    feed = await parser.parseString(text);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new FeedError(`is not a feed: ${reason}`, { cause: error });
  }
  const entries = (feed.items ?? []).slice(0, MAX_ITEMS);
  const items = entries.map(toItem).filter((item) => item !== undefined);
  return {
    title: cleanText(textOf(feed.title), SOURCE_CHARS),
    items,
    unusable: entries.length - items.length,
  };
}

function toItem(entry: Entry): FeedItem | undefined {
  const title = cleanText(textOf(entry.title), TITLE_CHARS);
  const url = safeLink(textOf(entry.link));
  if (title === '' || url === undefined) return undefined;
  const body = textOf(entry.content) || textOf(entry.summary) || textOf(entry.contentSnippet);
  const date = new Date(textOf(entry.isoDate) || textOf(entry.pubDate));
  const source = cleanText(textOf(entry.source), SOURCE_CHARS);
  return {
    title,
    description: cleanText(body, DESCRIPTION_CHARS),
    url,
    ...(!Number.isNaN(date.getTime()) && { publishedAt: date.toISOString() }),
    ...(source !== '' && { source }),
  };
}

/**
 * Returns the text of an element. The parser represents a plain element as a string, and an element with attributes or
 * child elements as an object.
 */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value !== 'object' || value === null) return '';
  const { $: _attributes, ...inner } = value as Record<string, unknown>;
  return Object.values(inner).map(textOf).join(' ');
}

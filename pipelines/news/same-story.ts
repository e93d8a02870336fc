import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { NewsItem } from '../../warehouse/live/news.ts';
import { foldText } from './phrases.ts';

/**
 * Maximum number of days between two reports of one story with the same words. Feeds report a story within hours of
 * each other. If the same words appear days later, they are about another event.
 */
const SAME_STORY_DAYS = 2;
/**
 * Minimum share of words that two titles of the same story have in common. The titles may differ, because feeds
 * slightly change the titles of agencies' texts.
 */
const SAME_WORDS_SHARE = 0.5;

/**
 * Merges new items into the stored items, so that each story is stored once. If two reports tell the same story, the
 * older report stays and keeps its date. It gets the higher of the two severities, and the places of both reports. If a
 * story has ended, a report that is newer than the end starts the story again.
 */
export function mergeStories(
  stored: readonly NewsItem[],
  newItems: readonly NewsItem[],
): NewsItem[] {
  const stories = stored.map(toStory);
  for (const item of newItems.map(toStory)) {
    const at = stories.findIndex((story) => isSame(story, item));
    const story = stories[at];
    if (story === undefined) stories.push(item);
    else if (isRevived(story.item, item.item)) stories[at] = item;
    else stories[at] = { ...story, item: mergeItems(story.item, item.item) };
  }
  return stories.map(({ item }) => item);
}

type Story = { item: NewsItem; words: ReadonlySet<string>; at: number };

function toStory(item: NewsItem): Story {
  const words = new Set(foldText(withoutSource(item)).trim().split(' '));
  return { item, words, at: Date.parse(item.publishedAt) };
}

/** Removes the publisher's name, which news searches append to the title. */
function withoutSource({ title, source }: NewsItem): string {
  const end = title.lastIndexOf(source);
  const isSuffix = end > 0 && end + source.length === title.length;
  return isSuffix ? title.slice(0, end).replace(/[\s\-–—|]+$/, '') : title;
}

function isSame(a: Story, b: Story): boolean {
  if (a.item.id === b.item.id) return true;
  if (a.item.eventType !== b.item.eventType) return false;
  if (Math.abs(a.at - b.at) > SAME_STORY_DAYS * DAY_MS) return false;
  if (isElsewhere(a.item.touches, b.item.touches)) return false;
  return overlap(a.words, b.words) >= SAME_WORDS_SHARE;
}

/**
 * Whether the items are about different places. Items are about different places if both name airports, but have no
 * airport in common. The same rule applies to airlines and to countries.
 */
function isElsewhere(a: NewsItem['touches'], b: NewsItem['touches']): boolean {
  return (['airports', 'carriers', 'countries'] as const).some(
    (kind) =>
      a[kind].length > 0 && b[kind].length > 0 && !a[kind].some((code) => b[kind].includes(code)),
  );
}

function isRevived({ endedAt }: NewsItem, { publishedAt }: NewsItem): boolean {
  return endedAt !== undefined && publishedAt > endedAt;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common / (a.size + b.size - common);
}

function mergeItems(a: NewsItem, b: NewsItem): NewsItem {
  const severer = b.severity > a.severity ? b : a;
  const union = (x: string[], y: string[]) => [...new Set([...x, ...y])].toSorted();
  // If a page was fetched again, its new places replace its old places. If another page reports the story, its places
  // are added.
  const touches =
    a.id === b.id
      ? b.touches
      : {
          airports: union(a.touches.airports, b.touches.airports),
          carriers: union(a.touches.carriers, b.touches.carriers),
          countries: union(a.touches.countries, b.touches.countries),
        };
  const days = a.id === b.id ? b.days : (a.days ?? b.days);
  const { days: _, ...rest } = a;
  return {
    ...rest,
    severity: severer.severity,
    impact: severer.impact,
    touches,
    ...(days && { days }),
  };
}

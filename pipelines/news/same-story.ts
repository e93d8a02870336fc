import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { NewsItem } from '../../warehouse/live/news.ts';
import { folded } from './phrases.ts';

/** Two feeds tell a story within hours of each other; the same words days later are another day of it. */
const SAME_STORY_DAYS = 2;
/** Share of the words two titles have together; agencies' texts are retitled lightly. */
const SAME_WORDS_SHARE = 0.5;

/**
 * Adds fresh items to those known, each story once. Of two tellings the one known longer stays, with its date, the
 * higher severity and every place either names. A telling newer than the report that a story is over begins it anew.
 */
export function mergeStories(known: readonly NewsItem[], fresh: readonly NewsItem[]): NewsItem[] {
  const stories = known.map(withWords);
  for (const item of fresh.map(withWords)) {
    const at = stories.findIndex((story) => isSame(story, item));
    const story = stories[at];
    if (story === undefined) stories.push(item);
    else if (isRevived(story.item, item.item)) stories[at] = item;
    else stories[at] = { ...story, item: together(story.item, item.item) };
  }
  return stories.map(({ item }) => item);
}

type Story = { item: NewsItem; words: ReadonlySet<string>; at: number };

function withWords(item: NewsItem): Story {
  const words = new Set(folded(withoutSource(item)).trim().split(' '));
  return { item, words, at: Date.parse(item.publishedAt) };
}

/** News searches put the paper's name behind the title. */
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

/** Whether both name airports, airlines or countries, and none in common: the same words about another place. */
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
  const both = [...a].filter((word) => b.has(word)).length;
  return both / (a.size + b.size - both);
}

function together(a: NewsItem, b: NewsItem): NewsItem {
  const worse = b.severity > a.severity ? b : a;
  const union = (x: string[], y: string[]) => [...new Set([...x, ...y])].toSorted();
  // The same page fetched again is told as it is now; another telling only adds to it.
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
    severity: worse.severity,
    impact: worse.impact,
    touches,
    ...(days && { days }),
  };
}

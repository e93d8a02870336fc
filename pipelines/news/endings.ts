import type { NewsItem } from '../../warehouse/live/news.ts';
import type { Ending } from './judge.ts';

/** An ending and when it was reported, ISO. */
export type DatedEnding = Ending & { publishedAt: string };

/**
 * The stories, those marked that a later report says are over. A report ends stories of its type that are older and that it names a
 * place or airline of; one that names only countries ends those of the same countries that name no airport.
 */
export function markEnded(stories: NewsItem[], endings: DatedEnding[]): NewsItem[] {
  return stories.map((story) => {
    const ending = endings.find((one) => ends(one, story));
    return ending ? { ...story, endedAt: ending.publishedAt } : story;
  });
}

function ends(ending: DatedEnding, story: NewsItem): boolean {
  if (ending.eventType !== story.eventType) return false;
  if (ending.publishedAt <= story.publishedAt) return false;
  const [over, on] = [ending.touches, story.touches];
  const isNear = shares(over.airports, on.airports) || shares(over.carriers, on.carriers);
  if (over.airports.length + over.carriers.length > 0) return isNear;
  return on.airports.length === 0 && shares(over.countries, on.countries);
}

function shares(a: string[], b: string[]): boolean {
  return a.some((code) => b.includes(code));
}

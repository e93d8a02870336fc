import type { NewsItem } from '../../warehouse/live/news.ts';
import type { Ending } from './judge.ts';

/** The end of an event, and the time of the report about it (ISO). */
export type DatedEnding = Ending & { publishedAt: string };

/**
 * Marks the stories that a later report ends. A report ends older stories of the same type if they share an airport or
 * airline with the report. A report that names only countries ends stories of these countries that name no airport.
 */
export function markEnded(stories: NewsItem[], endings: DatedEnding[]): NewsItem[] {
  return stories.map((story) => {
    const ending = endings.find((one) => endsStory(one, story));
    return ending ? { ...story, endedAt: ending.publishedAt } : story;
  });
}

function endsStory(ending: DatedEnding, story: NewsItem): boolean {
  if (ending.eventType !== story.eventType) return false;
  if (ending.publishedAt <= story.publishedAt) return false;
  const [endingTouches, storyTouches] = [ending.touches, story.touches];
  const isNear =
    hasCommon(endingTouches.airports, storyTouches.airports) ||
    hasCommon(endingTouches.carriers, storyTouches.carriers);
  if (endingTouches.airports.length + endingTouches.carriers.length > 0) return isNear;
  return (
    storyTouches.airports.length === 0 && hasCommon(endingTouches.countries, storyTouches.countries)
  );
}

function hasCommon(a: string[], b: string[]): boolean {
  return a.some((code) => b.includes(code));
}

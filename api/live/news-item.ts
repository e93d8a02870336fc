import type { NewsItem as KeptItem } from '../../warehouse/live/news.ts';
import type { NewsItem } from '../schemas/news.ts';

/** The item in the words and order of the specification. */
export function newsItemOf(item: KeptItem): NewsItem {
  return {
    title: item.title,
    summary: item.summary,
    source: item.source,
    url: item.url,
    published_at: item.publishedAt,
    impact: item.impact,
    event_type: item.eventType,
    severity: item.severity,
  };
}

import type { NewsItem as StoredItem } from '../../warehouse/live/news.ts';
import type { NewsItem } from '../schemas/news.ts';

/** Converts a stored item into the specification's field names and field order. */
export function newsItemOf(item: StoredItem): NewsItem {
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

import type { NewsItem } from '../../warehouse/live/news.ts';

/** A strike at Kennedy airport, reported at noon on 20 November 2026. */
export function aNewsItem(changes: Partial<NewsItem> = {}): NewsItem {
  return {
    id: 'a',
    title: 'Baggage handlers strike at Kennedy airport',
    summary: 'Industrial action is reported to disrupt flights at JFK.',
    source: 'The Wire',
    url: 'https://wire.example/a',
    publishedAt: '2026-11-20T12:00:00.000Z',
    eventType: 'strike',
    impact: 'medium',
    severity: 0.6,
    touches: { airports: ['JFK'], carriers: [], countries: [] },
    ...changes,
  };
}

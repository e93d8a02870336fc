import { z } from 'zod';
import { airportCode, flag } from './params.ts';

/** How long the news of a route stay cached; the specification's. */
export const NEWS_CACHE_TTL_HOURS = 6;

/** Parameters of `/api/news`. */
export const newsParams = z.object({ origin: airportCode, dest: airportCode, refresh: flag });

/** One article or alert that matters to flights. */
export const newsItem = z.strictObject({
  title: z.string(),
  summary: z.string(),
  source: z.string(),
  url: z.string(),
  published_at: z.iso.datetime(),
  impact: z.enum(['low', 'medium', 'high']),
  event_type: z.enum(['strike', 'weather', 'atc', 'security', 'technical', 'general']),
  severity: z.number().min(0).max(1),
});

/** Answer of `/api/news`. */
export const newsBody = z.strictObject({
  origin: z.string(),
  dest: z.string(),
  news: z.array(newsItem),
  meta: z.strictObject({
    count: z.int().min(0),
    cached: z.boolean(),
    fetched_at: z.iso.datetime(),
    cache_ttl_hours: z.int().min(1),
  }),
});

export type NewsItem = z.infer<typeof newsItem>;
export type NewsBody = z.infer<typeof newsBody>;

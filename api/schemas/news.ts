import { z } from 'zod';
import { EVENT_TYPES } from '../../warehouse/live/news.ts';
import { count, instant, share } from './field.ts';
import { flag, routeParams, signedParam } from './params.ts';

/** The news of a route is cached for this number of hours, as the specification requires. */
export const NEWS_CACHE_TTL_HOURS = 6;

/** Parameters of `/api/news`. */
export const newsParams = routeParams.extend({
  refresh: flag.meta({
    description:
      'Fetches news now instead of using the cache, at most 20 times an hour for each key. A call that could not fetch anything is free.',
  }),
  signed: signedParam,
});

/** One article or alert about disruptions of flights. */
export const newsItem = z.strictObject({
  title: z.string().describe('Title of the article or alert.'),
  summary: z.string().describe('One sentence on the impact on flights.'),
  source: z.string().describe('Name of the source.'),
  url: z.string().describe('Link to the original article.'),
  published_at: instant.describe('Time of publication, ISO 8601 in UTC.'),
  impact: z.enum(['low', 'medium', 'high']).describe('Expected impact on flights.'),
  event_type: z.enum(EVENT_TYPES).describe('Kind of event; `atc` is air traffic control.'),
  severity: share.describe('Severity for flights.'),
});

/** Response of `/api/news`. */
export const newsBody = z.strictObject({
  origin: z.string().describe('IATA code of the departure airport.'),
  dest: z.string().describe('IATA code of the arrival airport.'),
  news: z
    .array(newsItem)
    .describe(
      'News of the last seven days about the airports, their countries and the airlines of the route; newest first, at most 20 items.',
    ),
  meta: z
    .strictObject({
      count: count('items').describe('Number of items in `news`.'),
      cached: z
        .boolean()
        .describe('True if served from the cache, false if fetched for this call.'),
      fetched_at: instant
        .nullable()
        .describe(
          'Time of the last successful fetch, ISO 8601 in UTC; null if this news was never fetched.',
        ),
      cache_ttl_hours: count('hours', 1).describe('Cache lifetime.'),
    })
    .describe('Origin and age of the list.'),
});

export type NewsItem = z.infer<typeof newsItem>;
export type NewsBody = z.infer<typeof newsBody>;

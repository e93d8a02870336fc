import { z } from 'zod';
import { EVENT_TYPES } from '../../warehouse/live/news.ts';
import { count, instant, share } from './field.ts';
import { flag, routeParams } from './params.ts';

/** How long the news of a route stay cached; the specification's. */
export const NEWS_CACHE_TTL_HOURS = 6;

/** Parameters of `/api/news`. */
export const newsParams = routeParams.extend({
  refresh: flag.meta({
    description: 'Fetches anew instead of answering from the cache; to be used sparingly.',
  }),
});

/** One article or alert that matters to flights. */
export const newsItem = z.strictObject({
  title: z.string().describe('Title of the article or alert.'),
  summary: z.string().describe('One sentence on what it means for flights.'),
  source: z.string().describe('Name of the source.'),
  url: z.string().describe('Link to the original.'),
  published_at: instant.describe('When it was published, ISO 8601 in UTC.'),
  impact: z.enum(['low', 'medium', 'high']).describe('How much it disrupts.'),
  event_type: z
    .enum(EVENT_TYPES)
    .describe('What kind of event it is; `atc` is air traffic control.'),
  severity: share.describe('How bad it is.'),
});

/** Answer of `/api/news`. */
export const newsBody = z.strictObject({
  origin: z.string().describe('IATA code of the departure airport.'),
  dest: z.string().describe('IATA code of the arrival airport.'),
  news: z
    .array(newsItem)
    .describe(
      'News of the last seven days about the airports, their countries, and the airlines of the route, newest first, 20 at most.',
    ),
  meta: z
    .strictObject({
      count: count('items').describe('How many items `news` has.'),
      cached: z
        .boolean()
        .describe('True when they were there already, false when fetched for this call.'),
      fetched_at: instant.describe('When they were fetched last, ISO 8601 in UTC.'),
      cache_ttl_hours: count('hours', 1).describe('How long they stay cached.'),
    })
    .describe('Where the list comes from.'),
});

export type NewsItem = z.infer<typeof newsItem>;
export type NewsBody = z.infer<typeof newsBody>;

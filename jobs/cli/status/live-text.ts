import { formatAge } from '../../../warehouse/ground/duration.ts';
import { count } from '../tables.ts';
import type { Status } from './types.ts';

/** Describes the forecasts. */
export function weatherText({ redis, at }: Status): string {
  if (redis.state === 'away') return 'Weather  unknown, as Redis is unreachable';
  if (redis.forecasts === undefined) return 'Weather  no forecasts yet';
  const { airports, newest, oldest } = redis.forecasts;
  const oldestText =
    formatAge(oldest, at) === formatAge(newest, at) ? '' : `, the oldest ${formatAge(oldest, at)}`;
  return `Weather  forecasts of ${count(airports)} airports, fetched ${formatAge(newest, at)}${oldestText}`;
}

/** Describes the news. */
export function newsText({ redis, at }: Status): string {
  if (redis.state === 'away') return 'News     unknown, as Redis is unreachable';
  if (redis.news === undefined) return 'News     not fetched yet';
  const { stories, fetchedAt } = redis.news;
  return `News     ${count(stories)} stories that affect flights, fetched ${formatAge(fetchedAt, at)}`;
}

/** Describes the FAA's status; returns no line if it was never fetched. */
export function airportStatusText({ redis, at }: Status): string[] {
  if (redis.state === 'away' || redis.airportStatus === undefined) return [];
  const { measures, fetchedAt } = redis.airportStatus;
  return [`FAA      ${count(measures)} measures in force, fetched ${formatAge(fetchedAt, at)}`];
}

/** Describes the watches of callers; returns no line if there are none. */
export function watchText({ redis }: Status): string[] {
  if (redis.state === 'away' || redis.watches === undefined) return [];
  const { count: watchCount, pending } = redis.watches;
  const text =
    pending === 0
      ? 'all messages are delivered'
      : `${count(pending)} with undelivered messages; make watches shows the reasons`;
  return [`Watches  ${count(watchCount)}: ${text}`];
}

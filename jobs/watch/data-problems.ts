import { isForecastFresh } from '../../models/day-weather.ts';
import {
  ageInMonths,
  historyState,
  type NewestMonths,
} from '../../warehouse/store/history-state.ts';
import { DAY_MS, firstDay } from '../../warehouse/ground/dates.ts';
import type { Problem } from '../../warehouse/live/conditions.ts';

/** The newest data of each kind; absent for a kind without data. */
export type Newest = NewestMonths & {
  /** When the newest forecast was fetched (ISO). */
  forecast?: string | undefined;
};

/** Settings with the limits for the age of the data. */
export type FreshnessRule = {
  /**
   * Flights become stale this many days after the end of their newest month. If set, this limit replaces the other
   * limits.
   */
  staleAfterDays: number | undefined;
  /** Whether workers download newly published months. */
  hasDownloads: boolean;
};

/**
 * Judges the age of flights, levels and forecasts.
 * - If workers download months, flights should be as new as BTS's newest month. Otherwise an operator chose the months,
 *   so flights are stale only when answers become worse.
 * - Forecasts are stale when the newest is too old for scores. If no forecast was ever fetched, the failing job is
 *   reported instead.
 */
export function findDataProblems(
  newest: Newest,
  now: Date,
  { staleAfterDays, hasDownloads }: FreshnessRule,
): Problem[] {
  const { flights, levels, forecast } = newest;
  const problems: Problem[] = [];
  const isOld =
    staleAfterDays === undefined
      ? historyState(newest, now, hasDownloads) !== 'ok'
      : flights !== undefined && ageInDays(flights, now) > staleAfterDays;
  if (flights !== undefined && isOld) {
    const table =
      levels === undefined
        ? ''
        : `, and the delay-cause table ends in ${levels} (${ageInMonths(levels, now)} months old)`;
    const text =
      `Flights are stale: the newest month is ${flights} (${ageInMonths(flights, now)} months old)${table}. ` +
      'Load newer months with make backfill or make ingest';
    problems.push({ key: 'stale data', kind: 'data.stale', text });
  }
  if (forecast !== undefined && !isForecastFresh(forecast, now)) {
    const text = `Forecasts are stale: the newest was fetched at ${forecast}. Find in the worker's log why refresh-weather failed`;
    problems.push({ key: 'stale forecasts', kind: 'forecasts.stale', text });
  }
  return problems;
}

/** Returns the days since the end of a month. */
function ageInDays(month: string, now: Date): number {
  return (now.getTime() - Date.parse(firstDay(month, 1))) / DAY_MS;
}

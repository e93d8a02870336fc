import { isForecastFresh } from '../../models/day-weather.ts';
import { historyState } from '../../warehouse/store/history-state.ts';
import { DAY_MS, firstDay } from '../../warehouse/ground/dates.ts';
import type { Signal } from './incidents-of-jobs.ts';

/** The newest data of each kind; absent for a kind without data. */
export type Newest = {
  /** Newest months, `YYYY-MM`. */
  flights?: string | undefined;
  levels?: string | undefined;
  /** When the newest forecast was fetched (ISO). */
  forecast?: string | undefined;
};

/**
 * Reports whether flights and forecasts are stale. Flights are stale when their newest month ended more than
 * `afterDays` days ago or, if that is undefined, when `make status` calls the history old. Forecasts are stale when
 * the newest forecast is too old for scores. If no forecast was ever fetched, the failing job is reported instead.
 */
export function stalenessOf(
  { flights, levels, forecast }: Newest,
  now: Date,
  afterDays: number | undefined,
): Signal[] {
  const data = { key: 'stale data', kind: 'data.stale' } as const;
  const forecasts = { key: 'stale forecasts', kind: 'forecasts.stale' } as const;
  const isOld =
    afterDays === undefined
      ? historyState({ flights, levels }, now) !== 'ok'
      : flights !== undefined && ageInDays(flights, now) > afterDays;
  const isForecastOld = forecast !== undefined && !isForecastFresh(forecast, now);
  return [
    flights !== undefined && isOld
      ? { ...data, isResolved: false, text: `Flights are stale: the newest month is ${flights}` }
      : { ...data, isResolved: true },
    isForecastOld
      ? {
          ...forecasts,
          isResolved: false,
          text: `Forecasts are stale: the newest was fetched at ${forecast}`,
        }
      : { ...forecasts, isResolved: true },
  ];
}

/** Returns the days since the end of a month. */
function ageInDays(month: string, now: Date): number {
  return (now.getTime() - Date.parse(firstDay(month, 1))) / DAY_MS;
}

import { isForecastFresh } from '../../models/day-weather.ts';
import { historyState } from '../../warehouse/store/history-state.ts';
import { DAY_MS, firstDay } from '../../warehouse/ground/dates.ts';
import type { Signal } from './incidents-of-jobs.ts';

/** How new things are; absent: there are none. */
export type Newest = {
  /** Newest months, `YYYY-MM`. */
  flights?: string | undefined;
  levels?: string | undefined;
  /** When the newest forecast was fetched; ISO. */
  forecast?: string | undefined;
};

/**
 * Whether flights and forecasts are stale. Flights: when their newest month ended more than so many days ago or, where that is not
 * given, when history is old as `make status` has it. Forecasts: when the newest counts no more; where there never was one, the
 * job that fetches them tells.
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
      ? { ...data, isWell: false, text: `Flights are stale: the newest month is ${flights}` }
      : { ...data, isWell: true },
    isForecastOld
      ? { ...forecasts, isWell: false, text: `Forecasts are stale: the newest came ${forecast}` }
      : { ...forecasts, isWell: true },
  ];
}

/** Days from the end of a month to a moment. */
function ageInDays(month: string, now: Date): number {
  return (now.getTime() - Date.parse(firstDay(month, 1))) / DAY_MS;
}

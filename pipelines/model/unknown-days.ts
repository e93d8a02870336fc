import { sum } from '../../warehouse/ground/numbers.ts';
import type { DatedBy } from '../../warehouse/build/as-of.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/**
 * Adapts the store to flights without an exact day. These flights are treated as far from any holiday. If the weekday
 * is unknown too, values by weekday are averaged. Values by month do not change.
 */
export function storeForDays(store: ScoreStore, datedBy: DatedBy): ScoreStore {
  if (datedBy === 'day') return store;
  const anyDate: ScoreStore = { ...store, holidayDay: () => undefined };
  if (datedBy === 'weekday') return anyDate;
  return {
    ...anyDate,
    weekdayOdds: () => 1,
    congestion: (iata, month) => mean(WEEKDAYS.map((day) => store.congestion(iata, month, day))),
    congestionByHour: (iata, month) => {
      const days = WEEKDAYS.map((day) => store.congestionByHour(iata, month, day));
      if (days.every((day) => day === undefined)) return undefined;
      return Float32Array.from(
        { length: 24 },
        (_, hour) => mean(days.map((day) => day?.[hour])) ?? 0,
      );
    },
  };
}

/** Mean of the defined values; undefined when there are none. */
function mean(values: (number | undefined)[]): number | undefined {
  const presentValues = values.filter((value) => value !== undefined);
  if (presentValues.length === 0) return undefined;
  return sum(presentValues) / presentValues.length;
}

import { round } from '../../../warehouse/ground/numbers.ts';
import { spanOfRecords } from '../../../warehouse/store/record-months.ts';
import { monthsOf } from '../../../models/brands.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import type {
  FlightStats,
  RecordCell,
  RecordKind,
  ScoreStore,
} from '../../../warehouse/store/types.ts';
import type {
  FlightCounts,
  RecentMonthBody,
  RecordEnds,
  RecordTotals,
} from '../views/places/places-data.ts';

/**
 * Returns flight counts for `count` hours or months, starting with number `from`. The count of an hour or month without
 * flights is null.
 */
export function slotCounts(
  cells: readonly RecordCell[] | undefined,
  from: number,
  count: number,
): (FlightCounts | null)[] {
  const slots: (FlightCounts | null)[] = Array.from({ length: count }, () => null);
  for (const { slot, completedCount, delayedCount, cancelledCount } of cells ?? []) {
    if (slot < from || slot >= from + count) continue;
    slots[slot - from] = {
      flights: completedCount,
      late: delayedCount,
      cancelled: cancelledCount,
    };
  }
  return slots;
}

/** Returns one row of 24 hours for each month or weekday; null without flights. */
export function slotCountsGrid(
  kind: RecordKind,
  code: string,
  rows: number,
  store: ScoreStore,
): (FlightCounts | null)[][] | null {
  const cells = store.recordCells(kind, code);
  if (!cells) return null;
  return Array.from({ length: rows }, (_, row) => slotCounts(cells, 24 * row, 24));
}

/** Adds up the flights of several records. */
export function totalsOf(records: Iterable<FlightStats>): RecordTotals {
  const totals = { flights: 0, completed: 0, late: 0, cancelled: 0 };
  for (const { flightCount, completedCount, delayedCount, cancelledCount } of records) {
    totals.flights += flightCount;
    totals.completed += completedCount;
    totals.late += delayedCount;
    totals.cancelled += cancelledCount;
  }
  return totals;
}

/** Returns the first and last month with flights; null if unknown. */
export function recordEnds(services: readonly Service[], store: ScoreStore): RecordEnds {
  const records = services.flatMap((one) => monthsOf(one, store) ?? []);
  return spanOfRecords(records) ?? null;
}

/** Returns the newest months of the delay-cause table for an airline or for an airport's arrivals. */
export function recentBody(
  kind: 'carrier' | 'dest',
  code: string,
  store: ScoreStore,
): RecentMonthBody[] {
  return store
    .recentMonths(kind, code)
    .map(({ month, flightCount, delayed15Count, cancelledCount, divertedCount }) => ({
      month,
      flights: flightCount,
      late15: delayed15Count,
      cancelled: cancelledCount,
      diverted: divertedCount,
    }));
}

/** Returns the share of completed flights that were late; null without completed flights. */
export function lateShare({ completed, late }: RecordTotals): number | null {
  return completed === 0 ? null : round(late / completed, 4);
}

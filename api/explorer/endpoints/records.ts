import { round } from '../../../warehouse/ground/round.ts';
import { spanOfRecords } from '../../../warehouse/store/record-months.ts';
import type {
  AirlineRoute,
  FlightStats,
  RecordCell,
  RecordKind,
  ScoreStore,
} from '../../../warehouse/store/types.ts';
import type {
  Counted,
  RecentMonthBody,
  RecordEnds,
  RecordTotals,
} from '../views/places/places-data.ts';

/** The slots of a record from one on, so many, null in those without flights. */
export function countedIn(
  cells: readonly RecordCell[] | undefined,
  from: number,
  count: number,
): (Counted | null)[] {
  const slots: (Counted | null)[] = Array.from({ length: count }, () => null);
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

/** Months by hours, or weekdays by hours: so many rows of 24. Null without any flights. */
export function countedGrid(
  kind: RecordKind,
  code: string,
  rows: number,
  store: ScoreStore,
): (Counted | null)[][] | null {
  const cells = store.recordCells(kind, code);
  if (!cells) return null;
  return Array.from({ length: rows }, (_, row) => countedIn(cells, 24 * row, 24));
}

/** Flights of records added up. */
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

/** The first and last month in which they flew; null where that is not known. */
export function recordEnds(services: readonly AirlineRoute[], store: ScoreStore): RecordEnds {
  const records = services.flatMap(
    ({ origin, dest, carrier }) => store.recordMonths(origin, dest, carrier) ?? [],
  );
  return spanOfRecords(records) ?? null;
}

/** The newest months of the delay-cause table of an airline, or of an airport's arrivals. */
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

/** Late flights of those that were completed; null without any. */
export function lateShare({ completed, late }: RecordTotals): number | null {
  return completed === 0 ? null : round(late / completed, 4);
}

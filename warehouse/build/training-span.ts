import { firstDay } from '../../ground/dates.ts';
/** Completed flights of a month, by its first day (`YYYY-MM-DD`). */
export type MonthFlights = { month: string; flights: number };

/** What of a history is learned from one by one. */
export type TrainingSpan = {
  /** First day of the oldest month whose flights become rows. */
  from: string;
  /** First days of the quarters that are also forecast with what was known before them, newest first. */
  quarters: string[];
};

/** A year has every season once. */
const YEAR = 12;

/**
 * Newest months that hold a part of what the history knows, a few airports of the country, would teach that part alone: of
 * the flights of its best twelve months so many are learned from, and so many forecast, however old they are.
 */
const SHARE = { rows: 0.75, forecast: 0.4 };

/** The newest twelve months and their quarters, and older ones with flights as far as it takes. */
export function trainingSpan(months: MonthFlights[]): TrainingSpan {
  const newestFirst = months.toSorted((a, b) => (a.month < b.month ? 1 : -1));
  const [newest, oldest] = [newestFirst[0], newestFirst.at(-1)];
  if (!newest || !oldest) return { from: '9999-01-01', quarters: [] };
  const best = bestYear(newestFirst);
  const rows = enough(newestFirst, firstDay(newest.month, 1 - YEAR), SHARE.rows * best);
  const quarters = [...Map.groupBy(rows, ({ month }) => quarterOf(month, newest.month))]
    .filter(([month]) => month > oldest.month)
    .map(([month, some]) => ({ month, flights: total(some) }));
  return {
    from: rows.at(-1)?.month ?? newest.month,
    quarters: enough(quarters, firstDay(newest.month, 1 - YEAR), SHARE.forecast * best).map(
      ({ month }) => month,
    ),
  };
}

/** Those from a day on, and before it as many as it takes until they hold so many flights. */
function enough(newestFirst: MonthFlights[], from: string, flights: number): MonthFlights[] {
  let held = 0;
  return newestFirst.filter(({ month, flights: own }) => {
    const isWanted = month >= from || held < flights;
    held += own;
    return isWanted;
  });
}

/** Flights of the twelve months in a row that hold most. */
function bestYear(months: MonthFlights[]): number {
  const years = months.map(({ month: last }) => {
    const first = firstDay(last, 1 - YEAR);
    return total(months.filter(({ month }) => month >= first && month <= last));
  });
  return Math.max(...years);
}

/** First day of the three months a month lies in, counted back from the newest. */
function quarterOf(month: string, newest: string): string {
  const ago = monthNumber(newest) - monthNumber(month);
  return firstDay(newest, -Math.floor(ago / 3) * 3 - 2);
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function total(months: MonthFlights[]): number {
  return months.reduce((sum, { flights }) => sum + flights, 0);
}

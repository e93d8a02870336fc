import type { Columns } from './arrow.ts';
import type { DepartureHour } from './types.ts';

/** Look-up of the departure hours by the joined codes of origin, dest and carrier; the table is sorted by them. */
export function departureHours(columns: Columns): (key: string) => DepartureHour[] {
  const [origins, dests, carriers] = ['origin', 'dest', 'carrier'].map((name) =>
    columns.text(name),
  );
  const hours = columns.numbers('local_hour');
  const shares = columns.numbers('share');
  /** Rows of each airline-route as `[from, until)`. */
  const spans = new Map<string, [number, number]>();
  for (let row = 0; row < columns.rowCount; row++) {
    const key = `${origins?.[row]}${dests?.[row]}${carriers?.[row]}`;
    const span = spans.get(key);
    if (span) span[1] = row + 1;
    else spans.set(key, [row, row + 1]);
  }
  return (key) => {
    const [from, until] = spans.get(key) ?? [0, 0];
    return Array.from({ length: until - from }, (_, at) => ({
      hour: hours[from + at] as number,
      share: shares[from + at] as number,
    }));
  };
}

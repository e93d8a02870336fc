import Table from 'cli-table3';

/** Widths of the columns with their padding, and whether longer text continues on another line instead of being cut. */
type Layout = { widths: number[]; wraps: boolean };

/** Formats a table for the terminal; columns of counts, except the first column, are aligned right. */
export function table(head: string[], rows: string[][], layout?: Layout): string {
  const colAligns = head.map((_, column) => {
    const isCount = column > 0 && rows.every((row) => /^[\d,]*$/.test(row[column] ?? ''));
    return isCount ? ('right' as const) : ('left' as const);
  });
  const result = new Table({
    head,
    colAligns,
    style: { head: [], border: [], compact: true },
    ...(layout && { colWidths: layout.widths, wordWrap: layout.wraps }),
  });
  result.push(...rows);
  return result.toString();
}

/** Formats a count with separated thousands: `1,234`. */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** Formats a count with its noun, which takes an `s` in the plural: `1 key`, `1,234 keys`. */
export function countOf(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Formats a number of bytes: `3.4 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  if (bytes < 10_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Describes consecutive months: `12 months from 2018-01 to 2018-12`. */
export function span(months: string[]): string {
  const [first, last] = [months.at(0), months.at(-1)];
  if (first === undefined || last === undefined) return 'no months';
  return first === last ? `month ${first}` : `${months.length} months from ${first} to ${last}`;
}

/**
 * Formats the forecast days after the cut: ` and again before 2018-02-01, 2018-03-01`. On each of these days, the
 * backtest trains and forecasts again.
 */
export function laterOrigins([, ...later]: string[]): string {
  return later.length === 0 ? '' : ` and again before ${later.join(', ')}`;
}

/** Formats a share as a percentage: `12.3 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

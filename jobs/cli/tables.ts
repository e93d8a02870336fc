import Table from 'cli-table3';

/** How a table is made narrower: how wide columns are with their padding, and whether what is wider goes on in another line. */
type Narrowed = { widths: number[]; wraps: boolean };

/** A table for the terminal; cells after the first that look like counts stand on the right. */
export function table(head: string[], rows: string[][], narrowed?: Narrowed): string {
  const colAligns = head.map((_, column) => {
    const isCount = column > 0 && rows.every((row) => /^[\d,]*$/.test(row[column] ?? ''));
    return isCount ? ('right' as const) : ('left' as const);
  });
  const result = new Table({
    head,
    colAligns,
    style: { head: [], border: [], compact: true },
    ...(narrowed && { colWidths: narrowed.widths, wordWrap: narrowed.wraps }),
  });
  result.push(...rows);
  return result.toString();
}

/** A count with thousands separated: `1,234`. */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** A size in bytes: `3.4 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  if (bytes < 10_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Months in words: `12 months from 2018-01 to 2018-12`. */
export function span(months: string[]): string {
  const [first, last] = [months.at(0), months.at(-1)];
  if (first === undefined || last === undefined) return 'no months';
  return first === last ? `month ${first}` : `${months.length} months from ${first} to ${last}`;
}

/** The later origins of a back-test, to follow its cut. */
export function anew([, ...later]: string[]): string {
  return later.length === 0 ? '' : ` and anew before ${later.join(', ')}`;
}

/** A share as percent: `12.3 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

import { count, table } from './tables.ts';

export type FittedText = {
  text: string;
  /** Whether text was cut off. */
  isCut: boolean;
};

/** Characters that border and padding add to a column. */
const FRAME = 3;
/** Columns are never cut below this width, because the rest of a text would not be readable. */
const MIN_WIDTH = 16;
/** Columns up to this width (times, names, numbers) are never cut. */
const SHORT = 25;

/**
 * Formats a table that is at most `width` wide. Cuts wide columns or, with `wraps`, breaks wide columns into lines. If
 * the columns are still too wide, each row becomes a block with a line for each value.
 */
export function fittedTable(
  columns: string[],
  rows: string[][],
  { width, wraps = false }: { width: number; wraps?: boolean },
): FittedText {
  const flat = rows.map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ')));
  const natural = columns.map((name, index) =>
    Math.max(name.length, ...flat.map((row) => row[index]?.length ?? 0)),
  );
  const space = width - 1 - FRAME * columns.length;
  const limit = widthLimit(natural, space);
  if (limit === undefined) return blocks(columns, flat, width);
  const isCut = natural.some((columnWidth) => columnWidth > SHORT && columnWidth > limit);
  if (!isCut) return { text: table(columns, flat), isCut: false };
  const widths = natural.map((columnWidth) => cutTo(columnWidth, limit) + FRAME - 1);
  return { text: table(columns, flat, { widths, wraps }), isCut: !wraps };
}

/**
 * Returns the largest width to which columns can be cut so that the table fits; undefined if no width is small enough.
 */
function widthLimit(natural: number[], space: number): number | undefined {
  const fits = (limit: number) =>
    natural.reduce((sum, columnWidth) => sum + cutTo(columnWidth, limit), 0) <= space;
  const longest = Math.max(...natural, 0);
  if (fits(longest)) return longest;
  let limit = MIN_WIDTH;
  if (!fits(limit)) return undefined;
  while (fits(limit + 1)) limit++;
  return limit;
}

function cutTo(natural: number, limit: number): number {
  return natural <= SHORT ? natural : Math.min(natural, limit);
}

function blocks(columns: string[], rows: string[][], width: number): FittedText {
  const nameWidth = Math.min(Math.max(...columns.map((name) => name.length)), width >> 1);
  const valueWidth = Math.max(MIN_WIDTH, width - nameWidth - 2);
  let isCut = false;
  const shorten = (text: string, max: number) => {
    if (text.length <= max) return text;
    isCut = true;
    return `${text.slice(0, max - 1)}…`;
  };
  const texts = rows.map((row, index) =>
    [
      `row ${count(index + 1)}`,
      ...columns.map(
        (name, column) =>
          `${shorten(name, nameWidth).padEnd(nameWidth)}  ${shorten(row[column] ?? '', valueWidth)}`,
      ),
    ].join('\n'),
  );
  return { text: texts.join('\n\n'), isCut };
}

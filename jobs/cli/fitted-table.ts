import { count, table } from './tables.ts';

export type FittedText = {
  text: string;
  /** Something did not fit. */
  isCut: boolean;
};

/** Borders and padding of a column. */
const AROUND = 3;
/** A column that is cut to less tells nothing. */
const NARROWEST = 16;
/** Times, names and numbers: columns as narrow as this are never cut. */
const SHORT = 25;

/**
 * A table no wider than `width`: wide columns are cut, or with `wraps` broken into lines; where even narrow ones do not fit, each
 * row is a block with a line for each value.
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
  const room = width - 1 - AROUND * columns.length;
  const widest = widestThatFits(natural, room);
  if (widest === undefined) return blocks(columns, flat, width);
  const isCut = natural.some((one) => one > SHORT && one > widest);
  if (!isCut) return { text: table(columns, flat), isCut: false };
  const widths = natural.map((one) => cutTo(one, widest) + AROUND - 1);
  return { text: table(columns, flat, { widths, wraps }), isCut: !wraps };
}

/** The width at which columns are to be cut for all to fit; undefined where none does. */
function widestThatFits(natural: number[], room: number): number | undefined {
  const fits = (widest: number) =>
    natural.reduce((sum, one) => sum + cutTo(one, widest), 0) <= room;
  const longest = Math.max(...natural, 0);
  if (fits(longest)) return longest;
  let widest = NARROWEST;
  if (!fits(widest)) return undefined;
  while (fits(widest + 1)) widest++;
  return widest;
}

function cutTo(natural: number, widest: number): number {
  return natural <= SHORT ? natural : Math.min(natural, widest);
}

function blocks(columns: string[], rows: string[][], width: number): FittedText {
  const nameWidth = Math.min(Math.max(...columns.map((name) => name.length)), width >> 1);
  const room = Math.max(NARROWEST, width - nameWidth - 2);
  let isCut = false;
  const short = (text: string, most: number) => {
    if (text.length <= most) return text;
    isCut = true;
    return `${text.slice(0, most - 1)}…`;
  };
  const texts = rows.map((row, index) =>
    [
      `row ${count(index + 1)}`,
      ...columns.map(
        (name, column) =>
          `${short(name, nameWidth).padEnd(nameWidth)}  ${short(row[column] ?? '', room)}`,
      ),
    ].join('\n'),
  );
  return { text: texts.join('\n\n'), isCut };
}

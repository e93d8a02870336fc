/** A table of the page as a spreadsheet reads it from a file. */
export function csvOf(table: HTMLTableElement): string {
  return linesOf(table)
    .map((cells) => cells.map(quoted).join(','))
    .join('\r\n');
}

/** The same as a spreadsheet takes it from the clipboard. */
export function tsvOf(table: HTMLTableElement): string {
  return linesOf(table)
    .map((cells) => cells.map((cell) => cell.replaceAll('\t', ' ')).join('\t'))
    .join('\n');
}

function linesOf(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) => [...row.cells].map((cell) => inert(cell.textContent ?? '')));
}

/** Begins like this, a cell is a formula to a spreadsheet. A figure may have a sign. */
function inert(text: string): string {
  const plain = text.trim().replaceAll('−', '-');
  return /^[=+\-@]/.test(plain) && !/^[+-][\d.,]+%?$/.test(plain) ? `'${plain}` : plain;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Converts a table to CSV. */
export function toCsv(table: HTMLTableElement): string {
  return cellTexts(table)
    .map((cells) => cells.map(quoteCell).join(','))
    .join('\r\n');
}

/** Converts a table to tab-separated text, which spreadsheets accept from the clipboard. */
export function toTsv(table: HTMLTableElement): string {
  return cellTexts(table)
    .map((cells) => cells.map((cell) => cell.replaceAll('\t', ' ')).join('\t'))
    .join('\n');
}

function cellTexts(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) =>
    [...row.cells].map((cell) => neutralizeFormula(cell.textContent ?? '')),
  );
}

/** Adds a prefix to cells that a spreadsheet would run as a formula. Numbers with a sign do not change. */
function neutralizeFormula(text: string): string {
  const plain = text.trim().replaceAll('−', '-');
  return /^[=+\-@]/.test(plain) && !/^[+-][\d.,]+%?$/.test(plain) ? `'${plain}` : plain;
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

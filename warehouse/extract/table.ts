import { SourceFormatError } from '../errors.ts';
import type { SourceFile } from './extract-deps.ts';
import type { ScannedText } from './line-scan.ts';

type Delimiter = SourceFile['delimiter'];

/**
 * Returns the columns and the number of rows of a scanned text; throws `SourceFormatError` if the text is not a table.
 */
export function parseTable(name: string, text: ScannedText) {
  const prologueLines = isPrologue(text) ? 1 : 0;
  const firstLine = prologueLines === 0 ? text.firstLine : text.secondLine;
  const { header, delimiter } = parseHeader(name, { ...text, firstLine });
  if (text.hasNul) {
    throw new SourceFormatError(name, 'is damaged: it contains NUL bytes');
  }
  const rowCount = text.lineCount - 1 - prologueLines;
  if (rowCount > 0) {
    refuseTruncated(name, text.openLine, header.length, delimiter);
  }
  return { header, delimiter, prologueLines, rowCount, blankLines: text.blankLines };
}

/**
 * Whether the header is the second line. In newer files of ANAC (Brazil), the first line has the time of the last
 * update.
 */
function isPrologue({ firstLine = '' }: ScannedText): boolean {
  return /^\uFEFF?"?Atualizado em\b/i.test(firstLine);
}

/**
 * Refuses a file that was cut short. A last line without a line end may be complete. If this line has an open quote or
 * too few cells, the file is truncated.
 */
function refuseTruncated(
  name: string,
  openLine: string,
  columnCount: number,
  delimiter: Delimiter,
): void {
  const cellCount = openLine === '' ? columnCount : splitLine(openLine, delimiter).length;
  const isQuoteOpen = (openLine.split('"').length - 1) % 2 === 1;
  if (cellCount < columnCount || isQuoteOpen) {
    const defect = isQuoteOpen ? 'an open quote' : `${cellCount} of ${columnCount} columns`;
    throw new SourceFormatError(name, `is cut short: its last line has ${defect} and no line end`);
  }
}

function parseHeader(
  name: string,
  { firstLine, lineEnds, blankLines }: ScannedText,
): { header: string[]; delimiter: Delimiter } {
  if (firstLine === undefined || firstLine.includes('\0')) {
    throw new SourceFormatError(
      name,
      'is not a text file, or its first line is longer than 64 KiB',
    );
  }
  if (/^[^\r]+\r+$/.test(firstLine)) {
    throw new SourceFormatError(
      name,
      'ends its lines with CR CR LF; only LF and CR LF are supported',
    );
  }
  if (firstLine.includes('\r')) {
    throw new SourceFormatError(
      name,
      'ends its lines with CR only; only LF and CR LF are supported',
    );
  }
  if (/^\uFEFF?\s*</.test(firstLine)) {
    throw new SourceFormatError(name, 'looks like HTML or XML, not CSV');
  }
  if (blankLines[0] === 1) {
    throw new SourceFormatError(name, 'starts with a blank line, not a header');
  }
  if (lineEnds.lf > 0 && lineEnds.crlf > 0) {
    throw new SourceFormatError(
      name,
      `mixes line ends: ${lineEnds.crlf} lines end in CR LF, ${lineEnds.lf} in LF`,
    );
  }
  const line = firstLine.replace(/^\uFEFF/, '');
  const delimiter = line.includes(';') && !line.includes(',') ? ';' : ',';
  return { header: splitLine(line, delimiter), delimiter };
}

/** Matches the cells of a line: quoted text, or text without the delimiter. */
const CELLS: Record<Delimiter, RegExp> = {
  ',': /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g,
  ';': /(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g,
};

/** Splits a line into cells; a delimiter at its end adds an empty cell. */
function splitLine(line: string, delimiter: Delimiter): string[] {
  const cells = line.matchAll(CELLS[delimiter]);
  return Array.from(cells, ([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}

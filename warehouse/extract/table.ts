import { SourceFormatError } from '../errors.ts';
import type { ScannedText } from './line-scan.ts';

/**
 * Returns the columns and the number of rows of a scanned text; throws `SourceFormatError` if the text is not a table.
 */
export function parseTable(name: string, text: ScannedText) {
  const header = parseHeader(name, text);
  if (text.hasNul) {
    throw new SourceFormatError(name, 'is damaged: it contains NUL bytes');
  }
  if (text.lineCount > 1) {
    refuseTruncated(name, text.openLine, header.length);
  }
  return { header, rowCount: text.lineCount - 1, blankLines: text.blankLines };
}

/**
 * Refuses a file that was cut short. A last line without a line end may be complete, but with an open quote or missing
 * cells the file is truncated.
 */
function refuseTruncated(name: string, openLine: string, columnCount: number): void {
  const cellCount = openLine === '' ? columnCount : splitLine(openLine).length;
  const isQuoteOpen = (openLine.split('"').length - 1) % 2 === 1;
  if (cellCount < columnCount || isQuoteOpen) {
    const defect = isQuoteOpen ? 'an open quote' : `${cellCount} of ${columnCount} columns`;
    throw new SourceFormatError(name, `is cut short: its last line has no line end and ${defect}`);
  }
}

function parseHeader(name: string, { firstLine, lineEnds, blankLines }: ScannedText): string[] {
  if (firstLine === undefined || firstLine.includes('\0')) {
    throw new SourceFormatError(name, 'is not UTF-8 text in lines');
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
  return splitLine(firstLine.replace(/^\uFEFF/, ''));
}

/** Splits a line into cells; a comma at its end adds an empty cell. */
function splitLine(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return Array.from(cells, ([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}

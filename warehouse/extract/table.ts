import { SourceFormatError } from '../../pipelines/errors.ts';
import type { ScannedText } from './line-scan.ts';

/** The columns and rows of a text that was read through; throws SourceFormatError for a text that is no table. */
export function tableOf(name: string, text: ScannedText) {
  const header = headerOf(name, text);
  if (text.hasNul) {
    throw new SourceFormatError(name, 'is damaged: it holds NUL bytes');
  }
  if (text.lineCount > 1) {
    refuseCutShort(name, text.openLine, header.length);
  }
  return { header, rowCount: text.lineCount - 1, blankLines: text.blankLines };
}

/** A last line without an end may be whole. With a quote open or cells missing, the rest of the file is missing too. */
function refuseCutShort(name: string, openLine: string, columnCount: number): void {
  const found = openLine === '' ? columnCount : splitLine(openLine).length;
  const isQuoteOpen = (openLine.split('"').length - 1) % 2 === 1;
  if (found < columnCount || isQuoteOpen) {
    const what = isQuoteOpen ? 'an open quote' : `${found} of ${columnCount} columns`;
    throw new SourceFormatError(name, `is cut short: its last line has no end and ${what}`);
  }
}

function headerOf(name: string, { firstLine, lineEnds, blankLines }: ScannedText): string[] {
  if (firstLine === undefined || firstLine.includes('\0')) {
    throw new SourceFormatError(name, 'is not UTF-8 text in lines');
  }
  if (/^[^\r]+\r+$/.test(firstLine)) {
    throw new SourceFormatError(name, 'ends its lines in CR CR LF; LF or CR LF are read');
  }
  if (firstLine.includes('\r')) {
    throw new SourceFormatError(name, 'ends its lines in CR alone; LF or CR LF are read');
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

/** The cells of a line; a comma at its end makes one more, which is empty. */
function splitLine(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return Array.from(cells, ([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}

import { isUtf8 } from 'node:buffer';
import { SourceFormatError } from '../errors.ts';

/** Counts the lines of a text that is passed in chunk by chunk. */
export type LineScan = {
  push: (chunk: Buffer) => void;
  end: () => ScannedText;
};

export type ScannedText = {
  /** First line, without its line end; undefined if it is longer than 64 KiB. */
  firstLine: string | undefined;
  /** Second line; undefined if the first two lines are longer than 64 KiB. */
  secondLine: string | undefined;
  /** Text after the last line end, at most 64 KiB; empty if the text ends with a line end. */
  openLine: string;
  /** Number of non-blank lines, including the first line. */
  lineCount: number;
  /** Line numbers of blank lines, from 1. */
  blankLines: number[];
  lineEnds: { lf: number; crlf: number };
  /** Whether the text has NUL bytes. A text file has none, but a crash can leave a hole of NUL bytes in a file. */
  hasNul: boolean;
};

/**
 * Maximum number of blank lines that are recorded, because each line number takes memory. A text with more blank lines
 * is not a table.
 */
const MAX_BLANK_LINES = 100_000;

const LF = 10;
const CR = 13;
const EMPTY = Buffer.alloc(0);
const MAX_KEPT_LINE = 64 * 1024;

/**
 * Starts a scan that counts lines without parsing them. The number of rows that the CSV reader finds is compared with
 * this count. A line break inside a quoted value counts as a line end, because the scan cannot distinguish it from an
 * ordinary line end after a stray quote. No flight file has line breaks inside quoted values.
 */
export function startLineScan(name: string): LineScan {
  const blankLines: number[] = [];
  const lineEnds = { lf: 0, crlf: 0 };
  let head = EMPTY;
  let tail = EMPTY;
  let lineNumber = 0;
  let lineLength = 0;
  let previous = 0;
  let hasNul = false;

  const endLine = (length: number) => {
    lineNumber++;
    if (length === 0) {
      blankLines.push(lineNumber);
      if (blankLines.length > MAX_BLANK_LINES) {
        throw new SourceFormatError(name, `has more than ${MAX_BLANK_LINES} blank lines`);
      }
    }
    lineLength = 0;
  };

  return {
    push: (chunk) => {
      if (head.length < MAX_KEPT_LINE) {
        head = Buffer.concat([head, chunk.subarray(0, MAX_KEPT_LINE - head.length)]);
      }
      hasNul ||= chunk.includes(0);
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        const isCrlf = (at > 0 ? chunk[at - 1] : previous) === CR && lineLength + at - start > 0;
        lineEnds[isCrlf ? 'crlf' : 'lf']++;
        endLine(lineLength + at - start - (isCrlf ? 1 : 0));
        start = at + 1;
      }
      const rest = chunk.subarray(start);
      // Copies the chunk, because the stream may reuse its memory.
      tail = Buffer.concat([start > 0 ? EMPTY : tail, rest]).subarray(0, MAX_KEPT_LINE);
      lineLength += rest.length;
      previous = chunk.at(-1) ?? previous;
    },
    end: () => {
      if (lineLength > 0) {
        endLine(lineLength);
      }
      return {
        firstLine: lineOf(head, 0),
        secondLine: lineOf(head, head.indexOf(LF) + 1),
        openLine: tail.toString('utf8'),
        lineCount: lineNumber - blankLines.length,
        blankLines,
        lineEnds,
        hasNul,
      };
    },
  };
}

/** Returns the line that starts at `start`. If its bytes are not valid UTF-8, they are read as Latin-1. */
function lineOf(head: Buffer, start: number): string | undefined {
  const lineEnd = head.indexOf(LF, start);
  if (lineEnd === -1 && head.length === MAX_KEPT_LINE) {
    return undefined;
  }
  const line = head.subarray(start, lineEnd === -1 ? head.length : lineEnd);
  return line.toString(isUtf8(line) ? 'utf8' : 'latin1').replace(/\r$/, '');
}

import { SourceFormatError } from '../../pipelines/errors.ts';

/** What a pass over the bytes of a text tells about its lines. */
export type LineScan = {
  push: (chunk: Buffer) => void;
  end: () => ScannedText;
};

export type ScannedText = {
  /** The first line, without its line end; undefined when it is longer than 64 KiB. */
  firstLine: string | undefined;
  /** What stands after the last line end, at most 64 KiB of it; empty when the text ends in a line end. */
  openLine: string;
  /** Lines that are not blank, the first one included. */
  lineCount: number;
  /** Numbers of the blank lines, from 1. */
  blankLines: number[];
  lineEnds: { lf: number; crlf: number };
  /** No text has NUL bytes; a file that a crash left with a hole in it has. */
  hasNul: boolean;
};

/** A text with more is no table, and each costs memory. */
const MAX_BLANK_LINES = 100_000;

const LF = 10;
const CR = 13;
const EMPTY = Buffer.alloc(0);
const MAX_KEPT_LINE = 64 * 1024;

/**
 * Counts lines without parsing them, so that the count owes nothing to the CSV reader it is compared with.
 * A line break inside a quoted value counts as a line: no flight file has one, and a stray quote looks the same.
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
      // A copy, for the chunk is not ours to keep.
      tail = Buffer.concat([start > 0 ? EMPTY : tail, rest]).subarray(0, MAX_KEPT_LINE);
      lineLength += rest.length;
      previous = chunk.at(-1) ?? previous;
    },
    end: () => {
      if (lineLength > 0) {
        endLine(lineLength);
      }
      return {
        firstLine: firstLineOf(head),
        openLine: tail.toString('utf8'),
        lineCount: lineNumber - blankLines.length,
        blankLines,
        lineEnds,
        hasNul,
      };
    },
  };
}

function firstLineOf(head: Buffer): string | undefined {
  const lineEnd = head.indexOf(LF);
  if (lineEnd === -1 && head.length === MAX_KEPT_LINE) {
    return undefined;
  }
  const line = head.subarray(0, lineEnd === -1 ? head.length : lineEnd).toString('utf8');
  return line.replace(/\r$/, '');
}

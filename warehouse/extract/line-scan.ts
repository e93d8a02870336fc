/** What a pass over the bytes of a text tells about its lines. */
export type LineScan = {
  push: (chunk: Buffer) => void;
  end: () => {
    /** The first line, without its line end; undefined when it is longer than 64 KiB. */
    firstLine: string | undefined;
    /** Lines that are not blank, the first one included. */
    lineCount: number;
    /** Numbers of the blank lines, from 1. */
    blankLines: number[];
    lineEnds: { lf: number; crlf: number };
  };
};

const LF = 10;
const CR = 13;
const MAX_FIRST_LINE = 64 * 1024;

/**
 * Counts lines without parsing them, so that the count owes nothing to the CSV reader it is compared with.
 * A line break inside a quoted value counts as a line: no flight file has one, and a stray quote looks the same.
 */
export function startLineScan(): LineScan {
  const blankLines: number[] = [];
  const lineEnds = { lf: 0, crlf: 0 };
  let head = Buffer.alloc(0);
  let lineNumber = 0;
  let lineLength = 0;
  let previous = 0;

  const endLine = (length: number) => {
    lineNumber++;
    if (length === 0) {
      blankLines.push(lineNumber);
    }
    lineLength = 0;
  };

  return {
    push: (chunk) => {
      if (head.length < MAX_FIRST_LINE) {
        head = Buffer.concat([head, chunk.subarray(0, MAX_FIRST_LINE - head.length)]);
      }
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        const isCrlf = (at > 0 ? chunk[at - 1] : previous) === CR && lineLength + at - start > 0;
        lineEnds[isCrlf ? 'crlf' : 'lf']++;
        endLine(lineLength + at - start - (isCrlf ? 1 : 0));
        start = at + 1;
      }
      lineLength += chunk.length - start;
      previous = chunk.at(-1) ?? previous;
    },
    end: () => {
      if (lineLength > 0) {
        endLine(lineLength);
      }
      return {
        firstLine: firstLineOf(head),
        lineCount: lineNumber - blankLines.length,
        blankLines,
        lineEnds,
      };
    },
  };
}

function firstLineOf(head: Buffer): string | undefined {
  const lineEnd = head.indexOf(LF);
  if (lineEnd === -1 && head.length === MAX_FIRST_LINE) {
    return undefined;
  }
  const line = head.subarray(0, lineEnd === -1 ? head.length : lineEnd).toString('utf8');
  return line.replace(/\r$/, '');
}

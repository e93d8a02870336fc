import { write, writeSync } from 'node:fs';

/** How long a reader that is behind is waited for before it is asked again. */
const BUSY_MS = 100;
/** What may wait for a reader that has stopped: some minutes of a busy API. */
const MOST_WAITING = 64_000_000;
const STDOUT = 1;

/** Lines on their way to standard output. */
export type LogOutput = {
  /** Has the text, a line or more, wait for `flush`; how much waits now, in characters. */
  add: (text: string) => number;
  /** Begins to write what waits, and returns. */
  flush: () => void;
  /**
   * Writes what waits, and returns when that is done; a reader that is behind is waited for. While others are being written,
   * what waits follows as soon as they are.
   */
  flushNow: () => void;
  /** The same at the end of the process, which waits for nothing. */
  end: () => void;
};

type Disk = { write: typeof write; writeSync: typeof writeSync };

/**
 * Standard output, which never stops a process: lines for which there is no room, or nobody to read them, are lost, and `lost`
 * is told how many, and why, once others can be written again. (sonic-boom, which pino brings, tries a full disk for good
 * in `flushSync`, and all requests wait for it.)
 */
export function openLogOutput(
  lost: (lines: number, cause: Error) => void,
  disk: Disk = { write, writeSync },
): LogOutput {
  let waiting = '';
  /** Taken from what waits, and not yet by the reader. */
  let rest: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let isUrgent = false;
  let gone: { lines: number; cause: Error } | undefined;

  const lose = (text: Buffer | string, cause: Error) => {
    const lines = text.toString().split('\n').filter(Boolean).length;
    gone = { lines: (gone?.lines ?? 0) + lines, cause };
  };
  const tellLost = () => {
    if (!gone) return;
    const { lines, cause } = gone;
    gone = undefined;
    lost(lines, cause);
  };
  /** What is to be written next, and taken away. */
  const take = () => {
    // What was lost may have ended within a line.
    const text = gone && waiting !== '' ? `\n${waiting}` : waiting;
    const isFresh = rest.length === 0;
    const bytes = isFresh ? Buffer.from(text) : rest;
    if (isFresh) waiting = '';
    rest = Buffer.alloc(0);
    return bytes;
  };
  const flush = () => {
    const bytes = isWriting ? undefined : take();
    if (!bytes || bytes.length === 0) return;
    isWriting = true;
    disk.write(STDOUT, bytes, (error, written) => {
      isWriting = false;
      if (error && !isBusy(error)) lose(bytes, error);
      else rest = bytes.subarray(error ? 0 : written);
      if (!error && rest.length === 0) tellLost();
      if (isUrgent) flushNow();
      else if (!error && rest.length > 0) flush();
    });
  };
  const end = () => {
    for (let bytes = take(); bytes.length > 0; bytes = take()) {
      try {
        rest = bytes.subarray(disk.writeSync(STDOUT, bytes));
        if (rest.length === 0) tellLost();
      } catch (error) {
        if (!isBusy(error as Error)) return lose(bytes, error as Error);
        rest = bytes;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  };
  const flushNow = () => {
    isUrgent = isWriting;
    if (!isWriting) end();
  };
  const add = (text: string) => {
    if (waiting.length + rest.length > MOST_WAITING) lose(text, new Error('nobody reads the log'));
    else waiting += text;
    return waiting.length;
  };
  return { add, flush, flushNow, end };
}

function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}

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
  /** Writes what waits, and returns when that is done; a reader that is behind is waited for. */
  flushNow: () => void;
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
  /** Taken from what waits, and not taken by the reader. */
  let rest: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let gone: { lines: number; cause: Error } | undefined;

  const lose = (text: Buffer | string, cause: Error) => {
    gone = {
      lines: (gone?.lines ?? 0) + text.toString().split('\n').filter(Boolean).length,
      cause,
    };
  };
  const takeAll = () => {
    // What was lost may have ended within a line.
    const text = gone && waiting !== '' ? `\n${waiting}` : waiting;
    const bytes = Buffer.concat([rest, Buffer.from(text)]);
    [waiting, rest] = ['', Buffer.alloc(0)];
    return bytes;
  };
  const tellLost = () => {
    if (!gone) return;
    const { lines, cause } = gone;
    gone = undefined;
    lost(lines, cause);
  };
  const flush = () => {
    const bytes = isWriting ? undefined : takeAll();
    if (!bytes || bytes.length === 0) return;
    isWriting = true;
    disk.write(STDOUT, bytes, (error, written) => {
      isWriting = false;
      if (error && isBusy(error)) rest = Buffer.concat([bytes, rest]);
      else if (error) lose(bytes, error);
      else if (written < bytes.length) {
        rest = Buffer.concat([bytes.subarray(written), rest]);
        flush();
      } else tellLost();
    });
  };
  const flushNow = () => {
    let bytes = takeAll();
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(disk.writeSync(STDOUT, bytes));
        if (bytes.length === 0) tellLost();
      } catch (error) {
        if (!isBusy(error as Error)) return lose(bytes, error as Error);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  };
  const add = (text: string) => {
    if (waiting.length > MOST_WAITING) lose(text, new Error('nobody reads the log'));
    else waiting += text;
    return waiting.length;
  };
  return { add, flush, flushNow };
}

function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}

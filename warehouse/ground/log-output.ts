import { write, writeSync } from 'node:fs';

/** Wait before the next attempt if the pipe to the reader of the log is full. */
const BUSY_MS = 100;
/** Maximum number of buffered characters while nobody reads the log. A busy API writes this much in a few minutes. */
const MAX_BACKLOG = 64_000_000;
const STDOUT = 1;

/** A buffer between the logger and standard output. */
export type LogOutput = {
  /** Adds lines to the buffer. Returns the buffer's size in characters. */
  add: (text: string) => number;
  /** Starts to write the buffer and returns at once. */
  flush: () => void;
  /**
   * Writes the buffer and returns when it is written, even if the reader of the log is slow. If another write is in
   * progress, writes the buffer after it.
   */
  flushNow: () => void;
  /** Writes the buffer synchronously, for the end of the process. */
  end: () => void;
};

type Disk = { write: typeof write; writeSync: typeof writeSync };

/**
 * Opens standard output for logs so that logging never blocks the process. Lines that cannot be written are dropped,
 * for example if the disk is full or nobody reads. When lines can be written again, `onLoss` is called with the number
 * of dropped lines and the cause. (pino's default, sonic-boom, retries forever in `flushSync` if the disk is full, and
 * all requests wait.)
 */
export function openLogOutput(
  onLoss: (lines: number, cause: Error) => void,
  disk: Disk = { write, writeSync },
): LogOutput {
  let backlog = '';
  /** Bytes that were removed from the backlog, but are not written yet. */
  let unwritten: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let isUrgent = false;
  let loss: { lines: number; cause: Error } | undefined;

  const recordLoss = (text: Buffer | string, cause: Error) => {
    const lines = text.toString().split('\n').filter(Boolean).length;
    loss = { lines: (loss?.lines ?? 0) + lines, cause };
  };
  const reportLoss = () => {
    if (!loss) return;
    const { lines, cause } = loss;
    loss = undefined;
    onLoss(lines, cause);
  };
  /** Removes and returns the bytes to write next. */
  const takeNext = () => {
    // The dropped text may have ended in the middle of a line.
    const text = loss && backlog !== '' ? `\n${backlog}` : backlog;
    const isFresh = unwritten.length === 0;
    const bytes = isFresh ? Buffer.from(text) : unwritten;
    if (isFresh) backlog = '';
    unwritten = Buffer.alloc(0);
    return bytes;
  };
  const flush = () => {
    const bytes = isWriting ? undefined : takeNext();
    if (!bytes || bytes.length === 0) return;
    isWriting = true;
    disk.write(STDOUT, bytes, (error, written) => {
      isWriting = false;
      if (error && !isBusy(error)) recordLoss(bytes, error);
      else unwritten = bytes.subarray(error ? 0 : written);
      if (!error && unwritten.length === 0) reportLoss();
      if (isUrgent) flushNow();
      else if (!error && unwritten.length > 0) flush();
    });
  };
  const end = () => {
    for (let bytes = takeNext(); bytes.length > 0; bytes = takeNext()) {
      try {
        unwritten = bytes.subarray(disk.writeSync(STDOUT, bytes));
        if (unwritten.length === 0) reportLoss();
      } catch (error) {
        if (!isBusy(error as Error)) return recordLoss(bytes, error as Error);
        unwritten = bytes;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  };
  const flushNow = () => {
    isUrgent = isWriting;
    if (!isWriting) end();
  };
  const add = (text: string) => {
    if (backlog.length + unwritten.length > MAX_BACKLOG) {
      recordLoss(text, new Error('nobody reads the log'));
    } else backlog += text;
    return backlog.length;
  };
  return { add, flush, flushNow, end };
}

function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}

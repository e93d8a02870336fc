import { Presets, SingleBar } from 'cli-progress';
import type { JobProgress } from '../queue/queues.ts';

/** Shows the progress of a piece of work: a bar on a terminal, elsewhere a line every two seconds at most. */
export type ProgressLine = {
  show: (progress: JobProgress) => void;
  /** Prints a line above the bar. */
  note: (line: string) => void;
  /** Removes the bar; the next `show` begins a new one. */
  end: () => void;
};

/** The stream for progress: standard error, so that results on standard output can be piped. */
export type ProgressStream = NodeJS.WritableStream & { isTTY?: boolean };

const LINE_INTERVAL_MS = 2_000;

/** Opens a progress line; the title names the piece of work, for example `extract 2018-07.zip`. */
export function progressLine(
  title: string,
  stream: ProgressStream,
  now: () => number = Date.now,
): ProgressLine {
  return stream.isTTY === true ? createBar(title, stream) : createLines(title, stream, now);
}

function createBar(title: string, stream: ProgressStream): ProgressLine {
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  const start = ({ done, total, what }: JobProgress) => {
    const format = `${title} {bar} {percentage}%  {what}`;
    // The session handles Ctrl-C (`gracefulExit: false`), so the progress line only removes the bar.
    const options = { format, stream, clearOnComplete: true, hideCursor: true, barsize: 24 };
    bar = new SingleBar({ ...options, gracefulExit: false }, Presets.shades_classic);
    bar.start(total, done, { what });
  };
  return {
    show: (progress) => {
      if (bar === undefined) start(progress);
      bar?.setTotal(progress.total);
      bar?.update(progress.done, { what: progress.what });
    },
    note: (line) => {
      end();
      stream.write(`${line}\n`);
    },
    end,
  };
}

function createLines(title: string, stream: ProgressStream, now: () => number): ProgressLine {
  let writtenAt = -Infinity;
  let last = '';
  return {
    show: ({ done, total, what }) => {
      const line = `${title}: ${done} of ${total}, ${what}`;
      if (line === last || now() - writtenAt < LINE_INTERVAL_MS) return;
      writtenAt = now();
      last = line;
      stream.write(`${line}\n`);
    },
    note: (line) => void stream.write(`${line}\n`),
    end: () => undefined,
  };
}

import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Event, ObservedRun } from 'ava/internal';

type Stats = Extract<Event, { type: 'stats' }>['stats'];
type FileStats = Stats['byFile'] extends Map<string, infer T> ? T : never;
type FailedTest = Extract<Event, { type: 'test-failed' }>;

export type Tally = {
  passed: number;
  /** Tests that failed or never finished, and failures outside tests. */
  failed: number;
  /** Whether AVA finished; otherwise the run was interrupted. */
  finished: boolean;
  /** Title, message and line of each failed test, in the order in which they failed. */
  failures: { file: string; title: string; message: string; line: number | undefined }[];
  /** Duration of each file's process. */
  files: { file: string; ms: number }[];
};

export const EMPTY_TALLY: Tally = {
  passed: 0,
  failed: 0,
  finished: false,
  failures: [],
  files: [],
};

const SLOWEST_SHOWN = 10;
/** Characters of a failed test's message in the list at the end. */
const MESSAGE_MAX = 300;

/**
 * Returns a function that counts each event and returns the tally so far; `now` is a clock in milliseconds. Skipped,
 * todo and expected-to-fail tests count as neither passed nor failed.
 */
export function tallyCounter(now: () => number): (event: Event) => Tally {
  let stats: Stats | undefined;
  let finished = false;
  const clock = fileClock(now);
  const endedFiles = new Set<string>();
  const brokenFiles = new Set<string>();
  const failures: Tally['failures'] = [];

  return (event) => {
    clock.observe(event);
    if (event.type === 'stats') {
      stats = event.stats;
    } else if (event.type === 'end') {
      finished = true;
    } else if (event.type === 'worker-finished') {
      endedFiles.add(event.testFile);
    } else if (event.type === 'test-failed') {
      failures.push(toFailure(event));
    } else if (event.type === 'worker-failed') {
      // AVA's type lacks the file of a failed worker.
      const { testFile } = event as { testFile?: string };
      brokenFiles.add(testFile ?? '');
    }
    const { files } = clock;
    return stats === undefined
      ? { ...EMPTY_TALLY, finished, failures, files }
      : {
          passed: stats.passedTests,
          failed: countFailed(stats, endedFiles, brokenFiles),
          finished,
          failures,
          files,
        };
  };
}

/**
 * Measures how long files take. AVA does not report when a file starts. It starts the first files with the run, and
 * each further file as soon as another one has ended.
 */
function fileClock(now: () => number): { observe: (event: Event) => void; files: Tally['files'] } {
  const runStart = now();
  const freeSince: number[] = [];
  const startedAt = new Map<string, number>();
  const files: Tally['files'] = [];
  return {
    files,
    observe: (event) => {
      const { testFile: file } = event as { testFile?: string };
      if (file === undefined) return;
      const start = startedAt.get(file) ?? freeSince.shift() ?? runStart;
      startedAt.set(file, start);
      if (event.type === 'worker-finished' || event.type === 'worker-failed') {
        files.push({ file, ms: now() - start });
        freeSince.push(now());
      }
    },
  };
}

function toFailure({ testFile, title, err }: FailedTest): Tally['failures'][number] {
  const details = err.type === 'ava' ? [err.formattedDetails].flat() : [];
  const values = (details as { formatted: string }[]).map(({ formatted }) => formatted);
  const text = stripVTControlCharacters([err.message, ...values].join(' ')).replaceAll(/\s+/g, ' ');
  const source = err.type === 'aggregate' ? undefined : err.source;
  return { file: testFile, title, message: text.trim().slice(0, MESSAGE_MAX), line: source?.line };
}

/**
 * Returns a heading and a line for each failed test, with paths relative to `root`; empty if no test failed. A run
 * prints this list last, because CI may keep only the end of a long output.
 */
export function formatFailures(failures: Tally['failures'], root: string): string[] {
  if (failures.length === 0) return [];
  return [
    'Failed tests:',
    ...failures.map(({ file, title, message, line }) => {
      const place = relative(root, file) + (line === undefined ? '' : `:${line}`);
      return `  ${place} ${title}: ${message}`;
    }),
  ];
}

/**
 * Returns a heading and a line for each of the slowest files, with paths relative to `root`; empty if no file ended.
 */
export function formatSlowest(files: Tally['files'], root: string): string[] {
  if (files.length === 0) return [];
  const longest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_SHOWN);
  return [
    'Slowest files:',
    ...longest.map(
      ({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${relative(root, file)}`,
    ),
  ];
}

/**
 * Returns the last line and exit code of `npm test`. A run also fails if it was interrupted, or if AVA's exit code is
 * not 0 although no failure was counted.
 */
export function closingVerdict(
  tally: Tally,
  exitCode: number | null,
): { line: string; exitCode: number } {
  const hasUncounted = !tally.finished || (exitCode !== 0 && tally.failed === 0);
  const failed = tally.failed + (hasUncounted ? 1 : 0);
  return {
    line: `${tally.passed} passed, ${failed} failed`,
    exitCode: failed > 0 ? exitCode || 1 : 0,
  };
}

/** Sends the tally to the process that started AVA, if any; AVA calls it as an observer. */
export async function reportTally(run: ObservedRun): Promise<void> {
  const count = tallyCounter(() => performance.now());
  for await (const event of run.events) {
    const tally = count(event);
    if (event.type !== 'stats') {
      // Sends the lists only once, because thousands of events carry the counts.
      process.send?.(tally.finished ? tally : { ...tally, failures: [], files: [] });
    }
  }
}

function countFailed(stats: Stats, endedFiles: Set<string>, brokenFiles: Set<string>): number {
  let failed = stats.sharedWorkerErrors;
  for (const [file, fileStats] of stats.byFile) {
    const counted = countFailedInFile(fileStats);
    const isEmpty = endedFiles.has(file) && fileStats.declaredTests === 0;
    // A broken file whose reason is already counted is not counted twice.
    failed += counted === 0 && (isEmpty || brokenFiles.has(file)) ? 1 : counted;
  }
  return failed;
}

function countFailedInFile(stats: FileStats): number {
  return (
    stats.failedTests +
    stats.remainingTests +
    stats.failedHooks +
    stats.internalErrors +
    stats.uncaughtExceptions +
    stats.unhandledRejections
  );
}

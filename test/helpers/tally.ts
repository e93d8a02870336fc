import { relative } from 'node:path';
import type { Event, ObservedRun } from 'ava/internal';

type Stats = Extract<Event, { type: 'stats' }>['stats'];
type FileStats = Stats['byFile'] extends Map<string, infer T> ? T : never;

export type Tally = {
  passed: number;
  /** Tests that failed or never finished, and each failure outside of a test. */
  failed: number;
  /** AVA came to its end; without it the counts are those of an interrupted run. */
  finished: boolean;
  /** How long each file took, from the start of its process to the end of it. */
  files: { file: string; ms: number }[];
};

export const EMPTY_TALLY: Tally = { passed: 0, failed: 0, finished: false, files: [] };

const SLOWEST_SHOWN = 10;

/**
 * Counts a run event by event and returns the tally so far after each one; `now` is a clock in milliseconds.
 * Skipped, todo and expected-to-fail tests are neither passed nor failed.
 */
export function tallyCounter(now: () => number): (event: Event) => Tally {
  let stats: Stats | undefined;
  let finished = false;
  const clock = fileClock(now);
  const endedFiles = new Set<string>();
  const brokenFiles = new Set<string>();

  return (event) => {
    clock.see(event);
    if (event.type === 'stats') {
      stats = event.stats;
    } else if (event.type === 'end') {
      finished = true;
    } else if (event.type === 'worker-finished') {
      endedFiles.add(event.testFile);
    } else if (event.type === 'worker-failed') {
      // AVA's type leaves the file of a failed worker out.
      const { testFile } = event as { testFile?: string };
      brokenFiles.add(testFile ?? '');
    }
    const { files } = clock;
    return stats === undefined
      ? { ...EMPTY_TALLY, finished, files }
      : {
          passed: stats.passedTests,
          failed: countFailed(stats, endedFiles, brokenFiles),
          finished,
          files,
        };
  };
}

/**
 * How long files take. AVA does not tell when it starts one, but it does so as soon as another has ended, and starts the
 * first ones with the run.
 */
function fileClock(now: () => number): { see: (event: Event) => void; files: Tally['files'] } {
  const runStart = now();
  const freed: number[] = [];
  const startedAt = new Map<string, number>();
  const files: Tally['files'] = [];
  return {
    files,
    see: (event) => {
      const { testFile: file } = event as { testFile?: string };
      if (file === undefined) return;
      const start = startedAt.get(file) ?? freed.shift() ?? runStart;
      startedAt.set(file, start);
      if (event.type === 'worker-finished' || event.type === 'worker-failed') {
        files.push({ file, ms: now() - start });
        freed.push(now());
      }
    },
  };
}

/** The files that took longest, a line each under a heading, the paths as seen from `root`; none when none ended. */
export function slowest(files: Tally['files'], root: string): string[] {
  if (files.length === 0) return [];
  const longest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_SHOWN);
  return [
    'Slowest files:',
    ...longest.map(
      ({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${relative(root, file)}`,
    ),
  ];
}

/** What `npm test` exits with and says: a run that stopped short or failed without a count is a failure. */
export function verdict(tally: Tally, exitCode: number | null): { line: string; exitCode: number } {
  const uncounted = !tally.finished || (exitCode !== 0 && tally.failed === 0);
  const failed = tally.failed + (uncounted ? 1 : 0);
  return {
    line: `${tally.passed} passed, ${failed} failed`,
    exitCode: failed > 0 ? exitCode || 1 : 0,
  };
}

/** AVA's observer: sends the tally to the process that started AVA, if one is listening. */
export async function reportTally(run: ObservedRun): Promise<void> {
  const count = tallyCounter(() => performance.now());
  for await (const event of run.events) {
    const tally = count(event);
    if (event.type !== 'stats') {
      // The files are news once; thousands of events carry the counts.
      process.send?.(tally.finished ? tally : { ...tally, files: [] });
    }
  }
}

function countFailed(stats: Stats, endedFiles: Set<string>, brokenFiles: Set<string>): number {
  let failed = stats.sharedWorkerErrors;
  for (const [file, fileStats] of stats.byFile) {
    const known = countFailedInFile(fileStats);
    const isEmpty = endedFiles.has(file) && fileStats.declaredTests === 0;
    // A file that broke for a reason already counted is not counted twice.
    failed += known === 0 && (isEmpty || brokenFiles.has(file)) ? 1 : known;
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

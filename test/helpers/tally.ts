import type { Event, ObservedRun } from 'ava/internal';

type Stats = Extract<Event, { type: 'stats' }>['stats'];
type FileStats = Stats['byFile'] extends Map<string, infer T> ? T : never;

export type Tally = {
  passed: number;
  /** Tests that failed or never finished, and each failure outside of a test. */
  failed: number;
  /** AVA came to its end; without it the counts are those of an interrupted run. */
  finished: boolean;
};

export const EMPTY_TALLY: Tally = { passed: 0, failed: 0, finished: false };

/**
 * Counts a run event by event and returns the tally so far after each one.
 * Skipped, todo and expected-to-fail tests are neither passed nor failed.
 */
export function tallyCounter(): (event: Event) => Tally {
  let stats: Stats | undefined;
  let finished = false;
  const endedFiles = new Set<string>();
  const brokenFiles = new Set<string>();

  return (event) => {
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
    return stats === undefined
      ? { ...EMPTY_TALLY, finished }
      : {
          passed: stats.passedTests,
          failed: countFailed(stats, endedFiles, brokenFiles),
          finished,
        };
  };
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
  const count = tallyCounter();
  for await (const event of run.events) {
    const tally = count(event);
    if (event.type !== 'stats') {
      process.send?.(tally);
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

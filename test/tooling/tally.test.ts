import test from 'ava';
import type { Event } from 'ava/internal';
import {
  closingVerdict,
  EMPTY_TALLY,
  formatFailures,
  formatSlowest,
  tallyCounter,
} from '../helpers/tally.ts';

type Stats = Extract<Event, { type: 'stats' }>['stats'];
type FileStats = Stats['byFile'] extends Map<string, infer T> ? T : never;

const FILE = 'test/a.test.ts';

function fileStats(counts: Partial<FileStats>): FileStats {
  return {
    declaredTests: 1,
    failedHooks: 0,
    failedTests: 0,
    internalErrors: 0,
    remainingTests: 0,
    passedKnownFailingTests: 0,
    passedTests: 0,
    selectedTests: 0,
    selectingLines: false,
    skippedTests: 0,
    todoTests: 0,
    uncaughtExceptions: 0,
    unhandledRejections: 0,
    ...counts,
  };
}

function statsEvent(passedTests: number, counts: Partial<FileStats>): Event {
  // Only the fields that the tally reads; AVA's totals are sums over the files.
  const stats = {
    byFile: new Map([[FILE, fileStats(counts)]]),
    passedTests,
    sharedWorkerErrors: 0,
  };
  return { type: 'stats', stats: stats as Stats };
}

function tallyOf(events: Event[]) {
  const count = tallyCounter(() => 0);
  return events.map(count).at(-1);
}

const FILE_END: Event = { type: 'worker-finished', forcedExit: false, testFile: FILE };
const RUN_END: Event = { type: 'end' };
function fileFailure(): Event {
  const event = { type: 'worker-failed' as const, nonZeroExitCode: true, testFile: FILE };
  return event;
}

test('skipped, todo and expected-to-fail tests count as neither passed nor failed', (t) => {
  const counts = { passedTests: 3, skippedTests: 1, todoTests: 1, passedKnownFailingTests: 1 };
  const tally = tallyOf([statsEvent(3, counts), FILE_END, RUN_END]);
  t.deepEqual(tally, {
    passed: 3,
    failed: 0,
    finished: true,
    failures: [],
    files: [{ file: FILE, ms: 0 }],
  });
});

test('a failed test and a test that never finished both count as failed', (t) => {
  const tally = tallyOf([statsEvent(1, { failedTests: 1, remainingTests: 2 }), FILE_END, RUN_END]);
  t.deepEqual(tally, {
    passed: 1,
    failed: 3,
    finished: true,
    failures: [],
    files: [{ file: FILE, ms: 0 }],
  });
});

test('hooks, uncaught exceptions and unhandled rejections count as failures', (t) => {
  const counts = { failedHooks: 1, uncaughtExceptions: 1, unhandledRejections: 1 };
  t.is(tallyOf([statsEvent(0, counts), FILE_END, RUN_END])?.failed, 3);
});

test('a file that ends without tests counts as one failure', (t) => {
  t.is(tallyOf([statsEvent(0, { declaredTests: 0 }), FILE_END, RUN_END])?.failed, 1);
});

test('a file that has not ended yet does not count as a failure', (t) => {
  t.is(tallyOf([statsEvent(0, { declaredTests: 0 })])?.failed, 0);
});

test('a file that breaks without a counted reason counts as one failure', (t) => {
  t.is(tallyOf([statsEvent(1, {}), fileFailure(), RUN_END])?.failed, 1);
});

test('a file that breaks for a reason already counted is not counted twice', (t) => {
  t.is(tallyOf([statsEvent(0, { uncaughtExceptions: 1 }), fileFailure(), RUN_END])?.failed, 1);
});

test('a clean run exits with 0', (t) => {
  const tally = { ...EMPTY_TALLY, passed: 12, failed: 0, finished: true };
  t.deepEqual(closingVerdict(tally, 0), { line: '12 passed, 0 failed', exitCode: 0 });
});

test('an interrupted run has failed', (t) => {
  const tally = { ...EMPTY_TALLY, passed: 12, failed: 0, finished: false };
  t.deepEqual(closingVerdict(tally, null), { line: '12 passed, 1 failed', exitCode: 1 });
});

test('an exit code without a counted failure counts as a failure', (t) => {
  const tally = { ...EMPTY_TALLY, passed: 12, failed: 0, finished: true };
  t.deepEqual(closingVerdict(tally, 2), { line: '12 passed, 1 failed', exitCode: 2 });
});

test('counted failures fail the run even if AVA exits with 0', (t) => {
  const tally = { ...EMPTY_TALLY, passed: 12, failed: 2, finished: true };
  t.deepEqual(closingVerdict(tally, 0), { line: '12 passed, 2 failed', exitCode: 1 });
});

test("a file's time starts with the end of the file before it, or with the run", (t) => {
  let ms = 100;
  const count = tallyCounter(() => ms);
  const send = (type: 'declared-test' | 'worker-finished' | 'worker-failed', testFile: string) =>
    count({ type, testFile } as Event);
  ms = 150;
  send('declared-test', 'a');
  send('declared-test', 'b');
  ms = 350;
  send('worker-finished', 'a');
  ms = 400;
  send('declared-test', 'c');
  send('worker-failed', 'b');
  ms = 500;
  t.deepEqual(send('worker-finished', 'c').files, [
    { file: 'a', ms: 250 },
    { file: 'b', ms: 300 },
    { file: 'c', ms: 150 },
  ]);
});

test('the ten slowest files are listed, the slowest first', (t) => {
  const files = Array.from({ length: 12 }, (_, n) => ({
    file: `/code/test/${n}.test.ts`,
    ms: 100 * n,
  }));
  const lines = formatSlowest(files, '/code');
  t.is(lines.length, 11);
  t.deepEqual(lines.slice(0, 2), ['Slowest files:', '    1.1 s  test/11.test.ts']);
  t.is(lines.at(-1), '    0.2 s  test/2.test.ts');
});

test('a run without an ended file lists no files', (t) => {
  t.deepEqual(formatSlowest([], '/code'), []);
});

test('failed tests are listed with line, message and the values of the assertion', (t) => {
  const failed = {
    type: 'test-failed',
    testFile: '/code/test/a.test.ts',
    title: 'a score is a number',
    err: {
      type: 'ava',
      message: 'of a route',
      formattedDetails: [{ label: 'Difference:', formatted: '\u001B[31m- 1\u001B[39m\n+ 2' }],
      source: { file: '/code/test/a.test.ts', line: 7 },
    },
  };
  t.deepEqual(formatFailures(tallyOf([failed as Event, RUN_END])?.failures ?? [], '/code'), [
    'Failed tests:',
    '  test/a.test.ts:7 a score is a number: of a route - 1 + 2',
  ]);
  t.deepEqual(formatFailures([], '/code'), []);
});

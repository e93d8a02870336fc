import { reportTally } from './test/helpers/tally.ts';

/**
 * Ten seconds and more, as the end of a run tells, in the order they are begun: those that compute and those that wait
 * for processes in turn.
 */
const LONGEST = [
  'seed/build',
  'commands/run.redis',
  'chaos.redis',
  'kill-ingest.redis',
  'backtest',
  'two-workers.redis',
  'nightly.redis',
  'fuzz.redis',
  'first-light',
  'train-in-child.redis',
  'as-of',
  'workers.redis',
  'real-files',
  'queue/worker.redis',
  'backtest-box',
  'secrets.redis',
];

export default {
  // An array: Node strips the types itself, so AVA loads the files as they are.
  extensions: ['ts'],
  files: ['test/**/*.test.ts'],
  // DuckDB and ONNX are native addons, which may not be loaded by two threads of one process.
  workerThreads: false,
  // Begun first, the longest leave no tail. What talks to Redis tends to wait, and to take longer than what does not.
  sortTestFiles: (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
  // One for each core of the smallest machine we and CI run on, and one that waits.
  concurrency: 3,
  // Of silence. A file's tests may all end together, and a machine may have other things to do.
  timeout: '10m',
  // Feeds the closing line of test/run.ts. AVA is pinned, so the experiment cannot change unseen.
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: reportTally,
};

function rank(file) {
  const at = LONGEST.findIndex((name) => file.endsWith(`/${name}.test.ts`));
  if (at !== -1) return at;
  return LONGEST.length + (file.endsWith('.redis.test.ts') ? 0 : 1);
}

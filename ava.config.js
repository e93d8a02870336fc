import { reportTally } from './test/helpers/tally.ts';

/** Ten seconds and more, as the end of a run tells. */
const LONGEST = [
  'as-of',
  'backfill.redis',
  'backtest',
  'chaos.redis',
  'first-light',
  'fuzz.redis',
  'kill-ingest.redis',
  'train-in-child.redis',
  'two-workers.redis',
];

export default {
  // An array: Node strips the types itself, so AVA loads the files as they are.
  extensions: ['ts'],
  files: ['test/**/*.test.ts'],
  // DuckDB and ONNX are native addons, which may not be loaded by two threads of one process.
  workerThreads: false,
  // Begun first, the longest leave no tail. What talks to Redis tends to wait, and to take longer than what does not.
  sortTestFiles: (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
  // One for each core of the smallest machine we and CI run on.
  concurrency: 2,
  // Of silence. A file's tests may all end together, and a machine may have other things to do.
  timeout: '10m',
  // Feeds the closing line of test/run.ts. AVA is pinned, so the experiment cannot change unseen.
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: reportTally,
};

function rank(file) {
  if (LONGEST.some((name) => file.endsWith(`/${name}.test.ts`))) return 0;
  return file.endsWith('.redis.test.ts') ? 1 : 2;
}

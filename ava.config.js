import { reportTally } from './test/helpers/tally.ts';

export default {
  // An array: Node strips the types itself, so AVA loads the files as they are.
  extensions: ['ts'],
  files: ['test/**/*.test.ts'],
  // DuckDB and ONNX are native addons, which may not be loaded by two threads of one process.
  workerThreads: false,
  // What talks to Redis tends to wait, and to take longest: begun first, it leaves no tail.
  sortTestFiles: (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
  // One for each core of the smallest machine we and CI run on.
  concurrency: 2,
  timeout: '2m',
  // Feeds the closing line of test/run.ts. AVA is pinned, so the experiment cannot change unseen.
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: reportTally,
};

function rank(file) {
  return file.endsWith('.redis.test.ts') ? 0 : 1;
}

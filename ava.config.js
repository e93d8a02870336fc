import { reportTally } from './test/helpers/tally.ts';
import { rank } from './test/helpers/together.ts';

export default {
  // An array: Node strips the types itself, so AVA loads the files as they are.
  extensions: ['ts'],
  files: ['test/**/*.test.ts', 'test/.together/*.test.ts'],
  // DuckDB and ONNX are native addons, which may not be loaded by two threads of one process.
  workerThreads: false,
  // Begun first, the longest leave no tail; of the rooms' own processes those of the warehouse, which come last by name.
  sortTestFiles: (a, b) => rank(a) - rank(b) || (a > b ? -1 : 1),
  // One for each core of the smallest machine we and CI run on, and two that wait.
  concurrency: 4,
  // Of silence. A file's tests may all end together, and a machine may have other things to do.
  timeout: '10m',
  // Feeds the closing line of test/run.ts. AVA is pinned, so the experiment cannot change unseen.
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: reportTally,
};

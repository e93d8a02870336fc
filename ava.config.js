import { reportTally } from './test/helpers/tally.ts';
import { startOrder } from './test/helpers/test-groups.ts';

export default {
  // An array: Node strips the types itself, so AVA loads the files as they are.
  extensions: ['ts'],
  files: ['test/**/*.test.ts', 'test/.together/*.test.ts'],
  // DuckDB and ONNX are native addons, which may not be loaded by two threads of one process.
  workerThreads: false,
  // Starts the longest files first, then groups by name backwards (warehouse first), so that no core is idle at the
  // end.
  sortTestFiles: (a, b) => startOrder(a) - startOrder(b) || (a > b ? -1 : 1),
  // One process for each of the two cores of the smallest machine that we and CI use, and two that wait.
  concurrency: 4,
  // Limit for a run without any result: all tests of a file may end at once, and the machine may be busy.
  timeout: '10m',
  // Counts results for the closing line of test/run.ts. AVA is pinned, so the experiment cannot change unnoticed.
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: reportTally,
};

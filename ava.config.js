import { reportTally } from './test/helpers/tally.ts';

export default {
  // An array: Node strips the types itself, so AVA loads the files as they are.
  extensions: ['ts'],
  files: ['test/**/*.test.ts'],
  // DuckDB and ONNX are native addons, which may not be loaded by two threads of one process.
  workerThreads: false,
  // In CI one file at a time: many tests start processes, and hold them to deadlines.
  concurrency: process.env.CI === 'true' ? 1 : 2,
  timeout: '2m',
  // Feeds the closing line of test/run.ts. AVA is pinned, so the experiment cannot change unseen.
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: reportTally,
};

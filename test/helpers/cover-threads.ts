/**
 * Loaded before the code of each process of `npm run coverage`. Without it, the coverage of a terminated thread, or of
 * a thread with its own environment, would be lost.
 */
import { syncBuiltinESMExports } from 'node:module';
import { takeCoverage } from 'node:v8';
import threads, { isMainThread, type WorkerOptions } from 'node:worker_threads';

const EVERY_MS = 200;

if (!isMainThread) setInterval(takeCoverage, EVERY_MS).unref();

threads.Worker = class extends threads.Worker {
  constructor(file: string | URL, { env: _env, execArgv: _flags, ...options }: WorkerOptions = {}) {
    super(file, options);
  }
};
syncBuiltinESMExports();

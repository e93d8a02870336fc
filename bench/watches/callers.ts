/**
 * Calls the API at a constant rate in a separate process. The parent process sends `Callers` to start. This process
 * answers each later message with the percentiles of the calls since the message before.
 */
import { percentile } from '../api/load.ts';
import { loadAtRate } from '../visitors/load-at-rate.ts';

export type Callers = { port: number; paths: string[]; perSecond: number };

/** Latencies in ms, and the number of failed calls. */
export type CallTimes = { p50: number; p99: number; errors: number };

const SLICE_MS = 1_000;

let latencies: number[] = [];
let errors = 0;

process.once('message', (callers: Callers) => {
  process.on('message', () => {
    const all = { latencies: Float64Array.from(latencies).toSorted() };
    const times: CallTimes = { p50: percentile(all, 0.5), p99: percentile(all, 0.99), errors };
    [latencies, errors] = [[], 0];
    process.send?.(times);
  });
  void callForever(callers);
});
process.once('disconnect', () => process.exit());

async function callForever(callers: Callers): Promise<never> {
  for (;;) {
    const result = await loadAtRate({ ...callers, ms: SLICE_MS });
    latencies.push(...result.latencies);
    errors += result.errors;
  }
}

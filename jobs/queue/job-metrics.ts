import { Counter, Histogram, type Registry } from 'prom-client';
import { JOB_NAMES } from './handlers.ts';

/** Outcome of an attempt at a job. `failed` is final; `retried` means that another attempt follows. */
export type JobOutcome = 'done' | 'retried' | 'failed';

/** Called after each attempt at a job. */
export type JobEndListener = (job: string, outcome: JobOutcome, seconds: number) => void;

/**
 * Bounds of the buckets in seconds. The shortest jobs fetch the FAA's airport status; the longest train a model, or
 * rebuild from decades of history.
 */
const JOB_BUCKETS = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 900, 1800, 3600];

/**
 * Creates the metrics of jobs in this worker, and returns the listener that updates the metrics. Labels never name a
 * month, file or place.
 */
export function countJobs(registry: Registry): JobEndListener {
  const registers = [registry];
  const durations = new Histogram({
    name: 'headwind_job_duration_seconds',
    help: 'Duration of attempts at jobs, by outcome.',
    labelNames: ['job_name', 'outcome'],
    buckets: JOB_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: 'headwind_job_failures_total',
    help: 'Failed attempts at jobs, by whether they are retried or final.',
    labelNames: ['job_name', 'outcome'],
    registers,
  });
  // Every counter starts at 0. If the first failure created the series, `rate()` would not see this failure.
  for (const job of JOB_NAMES) {
    durations.zero({ job_name: job, outcome: 'done' });
    for (const outcome of ['retried', 'failed']) failures.inc({ job_name: job, outcome }, 0);
  }
  return (job, outcome, seconds) => {
    durations.observe({ job_name: job, outcome }, seconds);
    if (outcome !== 'done') failures.inc({ job_name: job, outcome });
  };
}
